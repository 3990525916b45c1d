import { mayBeAlive } from '@plat/local';
import { Failure } from '../terminal/failure';
import type { Table } from '../terminal/table';

/** The scopes that an exclusive lease can claim. Spec: Client, Gate drive rules, rules 1 and 2. */
export const LEASE_SCOPES = ['environment', 'worktree'] as const;
export type LeaseScope = (typeof LEASE_SCOPES)[number];

/** A claim that ends by itself. Rule G6. */
export interface Lease {
  leaseId: string;
  /** The claimed scope; absent for a lease that only shows work. */
  scope?: LeaseScope;
  /** Another lease of the same holder, under which this one was taken. */
  under?: string;
  /** The holder's name, for a person. */
  holder: string;
  /** The process whose end ends the lease; absent for one that only expires. */
  pid?: number;
  /** The space in which that process's id is valid. Elsewhere only the expiry ends the lease. */
  space?: string;
  /** RFC 3339 UTC. */
  takenAt: string;
  /** RFC 3339 UTC. */
  expiresAt: string;
  /** Seconds of a renewal. */
  ttlSeconds: number;
}

const MINUTE_SECONDS = 60;
const TTL_SECONDS = 15 * MINUTE_SECONDS;
const EXCLUSIVE_TTL_SECONDS = 5 * MINUTE_SECONDS;
/** Longest time that a lease can be held with renewals. */
const CEILING_SECONDS = 12 * 60 * MINUTE_SECONDS;

/** Whether the lease is live: not expired, and its process, if it names one, runs. */
export function isLive(lease: Lease, now: Date): boolean {
  return (
    Date.parse(lease.expiresAt) > now.getTime() &&
    (lease.pid === undefined || mayBeAlive(lease.pid, lease.space ?? ''))
  );
}

/**
 * Whether the lease has the id, was taken under the lease with the id, or is the one under which that lease was taken.
 */
export function isOwn(lease: Lease, id: string | undefined, all: readonly Lease[]): boolean {
  if (id === undefined) return false;
  const own = all.find(({ leaseId }) => leaseId === id);
  return lease.leaseId === id || lease.under === id || own?.under === lease.leaseId;
}

/** @param asked undefined: the default of its kind. @throws Failure LEASE_TOO_LONG */
export function ttlSeconds(asked: number | undefined, exclusive: boolean): number {
  const seconds = asked ?? (exclusive ? EXCLUSIVE_TTL_SECONDS : TTL_SECONDS);
  if (seconds > 0 && seconds <= CEILING_SECONDS) return seconds;
  throw new Failure('LEASE_TOO_LONG', 'A lease lasts longer than 0 s and at most 12 hours.', {
    next: 'give a shorter --ttl',
  });
}

/** The lease for another term, within the longest time. @throws Failure LEASE_TOO_LONG if that is reached */
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

/** Whether the value is a lease, as read from a file. */
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
    whenEmpty: 'No one holds a lease.',
  };
}
