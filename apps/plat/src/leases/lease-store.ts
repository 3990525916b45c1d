import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FileRefused, isAlive, processSpace, readRegularFile, writeInPrivateFolder } from '@plat/local';
import { withFileLock } from '../config/file-lock';
import { timeOf } from '../config/file-time';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { isLease, isLive, isOwn, type Lease, type LeaseScope, renewed, ttlSeconds } from './lease';

/** Shorter parts of an id match too many. */
const PIECE_LENGTH_MIN = 6;

/** Errors of a disk that takes no file. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EROFS'];
/** More than any lease has. */
const LEASE_BYTES_MAX = 64 * 1024;
/** File whose time is that of the last use. */
const USE = '.use';

export interface LeaseRequest {
  /** Undefined: a lease that claims nothing. */
  scope?: LeaseScope;
  holder: string;
  /** A lease of the same holder, whose claim does not conflict. */
  under?: string | undefined;
  pid?: number;
  /** Undefined: 5 minutes for a claim, otherwise 15. */
  ttlSeconds?: number;
}

/**
 * The leases of one environment or checkout: a file for each exclusive scope, and one for each other lease. The holder
 * of one scope excludes others from both scopes, because two holders of one scope each would wait for each other.
 * Rule G6.
 */
export class LeaseStore {
  constructor(private readonly folder: string) {}

  /**
   * @throws Failure CLAIMED if the scope is held, or another holder holds the other scope; LEASE_TOO_LONG,
   *   NO_SUCH_LEASE, NO_SUCH_PROCESS
   */
  take(request: LeaseRequest): Promise<Lease> {
    return this.locked(async () => {
      const { scope, holder, pid, under } = request;
      if (pid !== undefined && !isAlive(pid)) throw noSuchProcess(pid);
      const leaseId = randomUUID();
      const all = await this.live();
      if (under !== undefined && !all.some((lease) => lease.leaseId === under)) throw noSuchLease(under);
      const held = all.find(
        (lease) =>
          scope !== undefined &&
          lease.scope !== undefined &&
          (lease.scope === scope || !isOwn(lease, under, all)),
      );
      if (held) throw claimed(held);
      const ttl = ttlSeconds(request.ttlSeconds, scope !== undefined);
      const now = new Date();
      const takenAt = now.toISOString();
      const space = pid === undefined ? undefined : processSpace();
      const named = { leaseId, scope, under, holder, pid, space };
      const lease = { ...named, takenAt, expiresAt: takenAt, ttlSeconds: ttl };
      await this.markUse();
      return this.write(renewed(lease, now));
    });
  }

  /** Renews a lease for another term. @throws Failure NO_SUCH_LEASE, LEASE_TOO_LONG */
  renew(leaseId: string): Promise<Lease> {
    return this.locked(async () => this.write(renewed(await this.find(leaseId), new Date())));
  }

  /** Releases a lease. @throws Failure NO_SUCH_LEASE */
  release(leaseId: string): Promise<Lease> {
    return this.locked(async () => {
      const lease = await this.find(leaseId);
      await rm(this.path(lease));
      await this.markUse();
      return lease;
    });
  }

  /** When a lease was last taken or given back, in epoch milliseconds; undefined: never. */
  async readLastUse(): Promise<number | undefined> {
    return timeOf(join(this.folder, USE));
  }

  /** The live leases. Removes the files of the others. */
  async list(): Promise<Lease[]> {
    // Checked first, so that reading creates no folder.
    if (!existsSync(this.folder)) return [];
    return this.locked(() => this.live()).catch((error: NodeJS.ErrnoException) => {
      // Without a lock, because there is no room for one. Nothing is removed then.
      if (NO_ROOM.includes(error.code ?? '')) return this.live({ remove: false });
      throw error;
    });
  }

  private async live({ remove } = { remove: true }): Promise<Lease[]> {
    const now = new Date();
    const files = (await readdir(this.folder)).filter((name) => name.endsWith('.json')).sort();
    const leases: Lease[] = [];
    for (const name of files) {
      const path = join(this.folder, name);
      const lease = readLease(path, this.folder);
      if (isLive(lease, now)) leases.push(lease);
      else if (remove) await rm(path);
    }
    return leases;
  }

  /** Finds a lease by its id, or by a part that no other lease's id has. */
  private async find(named: string): Promise<Lease> {
    const all = await this.live();
    const exact = all.find(({ leaseId }) => leaseId === named);
    const having = all.filter(({ leaseId }) => named.length >= PIECE_LENGTH_MIN && leaseId.includes(named));
    const lease = exact ?? (having.length === 1 ? having[0] : undefined);
    if (lease) return lease;
    throw noSuchLease(named);
  }

  private async write(lease: Lease): Promise<Lease> {
    await writeInPrivateFolder(this.path(lease), `${JSON.stringify(lease)}\n`);
    return lease;
  }

  private path({ scope, leaseId }: Lease): string {
    return join(this.folder, `${scope ?? `shared-${leaseId}`}.json`);
  }

  /** A lease may begin and end between two looks of the idle watch. */
  private markUse(): Promise<void> {
    return writeInPrivateFolder(join(this.folder, USE), '');
  }

  private locked<T>(work: () => Promise<T>): Promise<T> {
    return withFileLock(join(this.folder, '.lock'), work);
  }
}

/**
 * The failure for a conflicting claim. It does not show the claim's id, which would let the caller pass. Spec: Client,
 * Gate drive rules, rules 1 to 3.
 */
export function claimed(lease: Lease): Failure {
  const { scope, holder, pid, takenAt, expiresAt } = lease;
  const process = pid === undefined ? '' : ` (process ${pid})`;
  const message = `The ${scope} is claimed by ${holder}${process} since ${takenAt}, until ${expiresAt} at least.`;
  return new Failure('CLAIMED', message, {
    details: { scope, holder, pid, takenAt, expiresAt },
    next: 'wait until it is given back; its holder repeats the command with --under-lease and the id of the claim',
  });
}

function noSuchLease(leaseId: string): Failure {
  return new Failure('NO_SUCH_LEASE', `The lease ${leaseId} is not live: it was released or has ended.`, {
    next: 'plat activity lease list',
  });
}

function noSuchProcess(pid: number): Failure {
  return new Failure('NO_SUCH_PROCESS', `There is no process ${pid}, so its lease would end at once.`, {
    details: { pid },
    next: 'give the id of the process that works, such as --pid $$',
  });
}

/** Reads a lease. A file that cannot be read, such as a pipe, may be a claim, so it stops the command. */
function readLease(path: string, inside: string): Lease {
  try {
    const content = readRegularFile(path, { bytesMax: LEASE_BYTES_MAX, inside, mayBeLink: false });
    const value: unknown = JSON.parse(content.toString('utf8'));
    if (isLease(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof FileRefused)) throw error;
  }
  throw new Failure('LEASE_UNREADABLE', `${path} is not a lease.`, {
    details: { path },
    next: nextStep('rm', [path], ', once no one drives a gate here'),
  });
}
