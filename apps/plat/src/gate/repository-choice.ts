import { canonicalRepository } from '@plat/remote';
import { Failure } from '../terminal/failure';
import { withoutUserinfo } from '../terminal/printable';
import type { Git } from './git';
import { ORIGIN } from './origin';

/**
 * The repository that a command works on, canonically: the named one, else that of the checkout at hand.
 *
 * @throws Failure INVALID_REPOSITORY, NOT_A_CHECKOUT, NO_REPOSITORY
 */
export async function chosenRepository(named: string | undefined): Promise<string> {
  if (named !== undefined) return namedRepository(named);
  // What works with git is loaded by the commands that do.
  const { openCheckout, repositoryOfCheckout } = await import('./checkout.js');
  return repositoryOfCheckout(await openCheckout(process.cwd()));
}

/** The address of origin in the checkout at hand, as git has it. @throws Failure NOT_A_CHECKOUT, NO_REPOSITORY */
export async function originUrl(): Promise<string> {
  const { openCheckout, repositoryOfCheckout } = await import('./checkout.js');
  const git = await openCheckout(process.cwd());
  await repositoryOfCheckout(git);
  return (await git.run(['remote', 'get-url', ORIGIN])).trim();
}

/**
 * Where the named repository is read from a checkout: by its origin, if that is the one.
 *
 * @returns a remote's name or address
 * @throws Failure INVALID_REPOSITORY
 */
export async function remoteOf(git: Git, named: string | undefined): Promise<string> {
  if (named === undefined) return ORIGIN;
  const { stdout } = await git.try(['remote', 'get-url', ORIGIN]);
  return canonicalRepository(stdout.trim()) === namedRepository(named) ? ORIGIN : named;
}

/**
 * The canonical identity of the repository that a remote names; what the remote knows of passwords stays here.
 *
 * @throws Failure INVALID_REPOSITORY
 */
export function namedRepository(remote: string): string {
  const repository = canonicalRepository(remote);
  if (repository !== undefined) return repository;
  throw new Failure('INVALID_REPOSITORY', `"${withoutUserinfo(remote)}" names no repository.`, {
    next: 'give its full address, such as https://git.example.com/acme/app',
  });
}
