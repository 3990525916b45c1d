import { mayBeAlive } from '@plat/local';
import { Failure } from '../terminal/failure';
import type { Table } from '../terminal/table';

/** What an exclusive lease claims. Spec: Client, Gate drive rules, rules 1 and 2. */
export const LEASE_SCOPES = ['environment', 'worktree'] as const;
export type LeaseScope = (typeof LEASE_SCOPES)[number];

/** A claim that ends by itself. Decision G6. */
export interface Lease {
  leaseId: string;
  /** What is claimed exclusively; absent for a lease that says only that somebody is at work. */
  scope?: LeaseScope;
  /** Another lease of the same holder, by which this one was admitted. */
  under?: string;
  /** Who holds it, for a person. */
  holder: string;
  /** The process whose end ends the lease; absent for one that only expires. */
  pid?: number;
  /** Where that process's id counts: elsewhere only the expiry ends the lease. */
  space?: string;
  /** RFC 3339 UTC. */
  takenAt: string;
  /** RFC 3339 UTC. */
  expiresAt: string;
  /** How long a renewal lasts. */
  ttlSeconds: number;
}

const MINUTE_SECONDS = 60;
const TTL_SECONDS = 15 * MINUTE_SECONDS;
const EXCLUSIVE_TTL_SECONDS = 5 * MINUTE_SECONDS;
/** No lease is held longer, however often it is renewed. */
const CEILING_SECONDS = 12 * 60 * MINUTE_SECONDS;

/** Whether the claim stands: not expired, and its process, where it names one, is there. */
export function isLive(lease: Lease, now: Date): boolean {
  return (
    Date.parse(lease.expiresAt) > now.getTime() &&
    (lease.pid === undefined || mayBeAlive(lease.pid, lease.space))
  );
}

/** Whether the lease is the one of the id, or belongs to the same holder by `under`. */
export function isOwn(lease: Lease, id: string | undefined, all: readonly Lease[]): boolean {
  if (id === undefined) return false;
  const own = all.find(({ leaseId }) => leaseId === id);
  return lease.leaseId === id || lease.under === id || own?.under === lease.leaseId;
}

/** @param asked undefined: the default of its kind. @throws Failure LEASE_TOO_LONG */
export function ttlSeconds(asked: number | undefined, exclusive: boolean): number {
  const seconds = asked ?? (exclusive ? EXCLUSIVE_TTL_SECONDS : TTL_SECONDS);
  if (seconds > 0 && seconds <= CEILING_SECONDS) return seconds;
  throw new Failure('LEASE_TOO_LONG', 'A lease lasts more than nothing and 12 hours at most.', {
    next: 'give a shorter --ttl',
  });
}

/** The lease for another term, within the ceiling. @throws Failure LEASE_TOO_LONG at the ceiling */
export function renewed(lease: Lease, now: Date): Lease {
  const ceiling = Date.parse(lease.takenAt) + CEILING_SECONDS * 1000;
  const expires = Math.min(now.getTime() + lease.ttlSeconds * 1000, ceiling);
  if (expires <= now.getTime()) {
    throw new Failure('LEASE_TOO_LONG', `The lease ${lease.leaseId} was held for 12 hours.`, {
      next: 'release it and take another',
    });
  }
  return { ...lease, expiresAt: new Date(expires).toISOString() };
}

/** Whether the value is a lease, as a file has it. */
export function isLease(value: unknown): value is Lease {
  if (typeof value !== 'object' || value === null) return false;
  const { leaseId, holder, takenAt, expiresAt, ttlSeconds: ttl } = value as Partial<Lease>;
  const texts = [leaseId, holder, takenAt, expiresAt].every((text) => typeof text === 'string');
  return texts && typeof ttl === 'number' && !Number.isNaN(Date.parse(expiresAt ?? ''));
}

/** Leases, one a line. */
export function leaseTable(leases: readonly Lease[]): Table {
  return {
    columns: [
      { title: 'LEASE', as: 'id' },
      'CLAIMS',
      { title: 'HOLDER', as: 'elastic' },
      'PID',
      { title: 'EXPIRES', as: 'time' },
    ],
    rows: leases.map(({ leaseId, scope, holder, pid, expiresAt }) => [
      leaseId,
      scope ?? 'nothing',
      holder,
      pid?.toString(),
      expiresAt,
    ]),
    whenEmpty: 'Nobody holds a lease.',
  };
}
