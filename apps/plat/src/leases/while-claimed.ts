import { Failure } from '../terminal/failure';
import type { LeaseRequest, LeaseStore } from './lease-store';

/** Renewals in a term, so that a late one still finds the claim live. A failed renewal ends the work. */
const RENEWALS_A_TERM = 3;

export interface ClaimedWork<T> {
  leases: LeaseStore;
  request: LeaseRequest;
  /** The caller's own claim, which is renewed but neither taken nor released; undefined: a new one is taken. */
  underLease?: string | undefined;
  /** @param lost aborts if the claim could not be kept */
  work(leaseId: string, lost: AbortSignal): Promise<T>;
}

/**
 * Runs work under a claim that is renewed while the work lasts. Spec: Client, Gate drive rules, rule 1.
 *
 * @throws Failure CLAIMED, NO_SUCH_LEASE; any failure of the work
 */
export async function whileClaimed<T>({ leases, request, underLease, work }: ClaimedWork<T>): Promise<T> {
  const lease = underLease === undefined ? await leases.take(request) : await leases.renew(underLease);
  const lost = new AbortController();
  const renewal = setInterval(
    () => {
      leases.renew(lease.leaseId).catch((error: unknown) => lost.abort(claimLost(error)));
    },
    (lease.ttlSeconds * 1000) / RENEWALS_A_TERM,
  );
  try {
    return await work(lease.leaseId, lost.signal);
  } finally {
    clearInterval(renewal);
    // A claim that was lost needs no release.
    if (underLease === undefined) await leases.release(lease.leaseId).catch(() => undefined);
  }
}

function claimLost(error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return new Failure('CLAIM_LOST', `The claim could not be kept: ${why}`, { next: 'repeat the command' });
}
