import { join } from 'node:path';
import { withFileLock } from '../config/file-lock';
import type { Environment } from '../environment';
import type { Git } from '../git/git';
import { knownEnvironmentLeases, leasesIn, requireUnclaimed } from '../leases/claims';
import type { LeaseStore } from '../leases/lease-store';

/** The client's folder for one checkout. A worktree has a git folder of its own. */
export async function checkoutFolder(git: Git): Promise<string> {
  return join((await git.run(['rev-parse', '--absolute-git-dir'])).trim(), 'plat');
}

/** The claims that keep others from a checkout: its own, and those of its environment. */
export async function claimsOn(git: Git, environment: Environment): Promise<LeaseStore[]> {
  const own = leasesIn(await checkoutFolder(git));
  const around = knownEnvironmentLeases(environment);
  return around === undefined ? [own] : [own, around];
}

export interface CheckoutWork {
  environment: Environment;
  /** The caller's own claim. */
  underLease?: string | undefined;
  interrupted?: AbortSignal | undefined;
  note(line: string): void;
}

/**
 * Runs a step that moves or pushes a checkout, one at a time. Waits while another gate-merge or push runs, but does
 * not wait for the end of a claim: it refuses. Spec: Client, Gate drive rules, rule 2.
 *
 * @throws Failure CLAIMED, NO_SUCH_LEASE
 */
export async function inCheckout<T>(git: Git, around: CheckoutWork, work: () => Promise<T>): Promise<T> {
  const { environment, underLease, interrupted, note } = around;
  const claims = await claimsOn(git, environment);
  await requireUnclaimed(claims, underLease);
  const patience = {
    interrupted,
    waiting: (pid: number) => note(`Waiting for the process ${pid}, which is at work in this checkout …`),
  };
  const alone = async () => {
    // Checked again, because a drive may have begun during the wait.
    await requireUnclaimed(claims, underLease);
    return work();
  };
  return withFileLock(join(await checkoutFolder(git), 'checkout.lock'), alone, patience);
}

/** Waits for the end of a step that began before the checkout was claimed. */
export async function afterOthers(
  git: Git,
  { interrupted, note }: Pick<CheckoutWork, 'interrupted' | 'note'>,
) {
  const waiting = (pid: number) =>
    note(`Waiting for the process ${pid}, which is at work in this checkout …`);
  const path = join(await checkoutFolder(git), 'checkout.lock');
  await withFileLock(path, () => Promise.resolve(), { interrupted, waiting });
}
