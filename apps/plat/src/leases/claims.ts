import { join } from 'node:path';
import { environmentFolder, requireEnvironmentFolder } from '../config/environment-folder';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';
import { isOwn } from './lease';
import { claimed, LeaseStore } from './lease-store';

/** The leases of this process's environment. @throws Failure NO_ENVIRONMENT, INVALID_VARIABLES */
export function environmentLeases(environment: Environment): LeaseStore {
  return leasesIn(requireEnvironmentFolder(environment));
}

/** The leases of a folder: an environment's, or this client's folder within a checkout's git folder. */
export function leasesIn(folder: string): LeaseStore {
  return new LeaseStore(join(folder, 'leases'));
}

/** The leases of this process's environment; undefined outside any. @throws Failure INVALID_VARIABLES */
export function knownEnvironmentLeases(environment: Environment): LeaseStore | undefined {
  const folder = environmentFolder(environment);
  return folder === undefined ? undefined : leasesIn(folder);
}

/**
 * Refuses if another holder has a claim of either scope in one of the stores. Spec: Client, Gate drive rules, rules 2
 * and 3; Rule G6.
 *
 * @param underLease the caller's own claim
 * @throws Failure CLAIMED, NO_SUCH_LEASE if the caller's claim has ended
 */
export async function requireUnclaimed(stores: readonly LeaseStore[], underLease?: string): Promise<void> {
  const all = (await Promise.all(stores.map((store) => store.list()))).flat();
  const claims = all.filter(({ scope }) => scope !== undefined);
  const other = claims.find((lease) => !isOwn(lease, underLease, claims));
  if (other) throw claimed(other);
  if (underLease === undefined || claims.length > 0) return;
  throw new Failure('NO_SUCH_LEASE', `The claim ${underLease} has ended.`, {
    next: 'plat activity lease take --exclusive --scope environment',
  });
}
