import { join } from 'node:path';
import { environmentFolder, requireEnvironmentFolder } from '../config/environment-folder';
import type { Environment } from '../config/environment';
import { Failure } from '../terminal/failure';
import { claimed, LeaseStore } from './lease-store';

/** The leases of the environment that this runs in. @throws Failure NO_ENVIRONMENT, INVALID_ENVIRONMENT */
export function environmentLeases(environment: Environment): LeaseStore {
  return new LeaseStore(leasesIn(requireEnvironmentFolder(environment)));
}

export function leasesIn(folder: string): string {
  return join(folder, 'leases');
}

/**
 * Refuses while anybody else has claimed the environment or its worktree. Outside an environment there is no claim
 * to check. Spec: Client, Gate drive rules, rules 2 and 3; Decision G6.
 *
 * @param underLease the caller's own claim
 * @throws Failure CLAIMED, NO_SUCH_LEASE when the caller's claim does not stand any more
 */
export async function requireUnclaimed(environment: Environment, underLease?: string): Promise<void> {
  const folder = environmentFolder(environment);
  if (folder === undefined) return;
  const claims = (await new LeaseStore(leasesIn(folder)).list()).filter(({ scope }) => scope !== undefined);
  const other = claims.find(({ leaseId }) => leaseId !== underLease);
  if (other) throw claimed(other);
  if (underLease === undefined || claims.length > 0) return;
  throw new Failure('NO_SUCH_LEASE', `The claim ${underLease} does not stand any more.`, {
    next: 'plat activity lease take --exclusive --scope environment',
  });
}
