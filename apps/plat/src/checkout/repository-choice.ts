import { canonicalRepository } from '@plat/remote';
import type { Git } from '../git/git';
import { ORIGIN } from '../origin/origin';
import { Failure } from '../terminal/failure';
import { withoutCredentials } from '../terminal/printable';

/**
 * The canonical identity of a command's repository: the named one, otherwise that of the current checkout.
 *
 * @throws Failure INVALID_REPOSITORY, NOT_A_CHECKOUT, NO_REPOSITORY
 */
export async function chooseRepository(named: string | undefined): Promise<string> {
  if (named !== undefined) return namedRepository(named);
  // Loaded here, so that commands without git do not load it.
  const { openCheckout, repositoryOfCheckout } = await import('./checkout.js');
  return repositoryOfCheckout(await openCheckout(process.cwd()));
}

/** The address of origin in the current checkout, as others know it. @throws Failure NOT_A_CHECKOUT, NO_REPOSITORY */
export async function originUrl(): Promise<string> {
  const { addressOfOrigin, openCheckout } = await import('./checkout.js');
  return addressOfOrigin(await openCheckout(process.cwd()));
}

/**
 * The remote by which a checkout reads the named repository: its origin, if that is the same repository.
 *
 * @returns a remote's name or address
 * @throws Failure INVALID_REPOSITORY
 */
export async function remoteOf(git: Git, named: string | undefined): Promise<string> {
  if (named === undefined) return ORIGIN;
  const { repositoryOfCheckout } = await import('./checkout.js');
  const own = await repositoryOfCheckout(git).catch(() => undefined);
  return own === namedRepository(named) ? ORIGIN : named;
}

/**
 * The canonical identity of the repository that a remote names, without the remote's credentials.
 *
 * @throws Failure INVALID_REPOSITORY
 */
export function namedRepository(remote: string): string {
  const repository = canonicalRepository(remote);
  if (repository !== undefined) return repository;
  throw new Failure('INVALID_REPOSITORY', `"${withoutCredentials(remote)}" names no repository.`, {
    next: 'give its full address, such as https://git.example.com/acme/app',
  });
}
