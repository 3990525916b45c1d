import { setTimeout as delay } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';

export interface LockPatience {
  /** How long a statement waits for a lock, in milliseconds. Later statements wait behind it. */
  waitMs: number;
  /** The pause before the next attempt, in which others get the lock, in milliseconds. */
  pauseMs: number;
  /** How long all attempts may take, in milliseconds. */
  giveUpMs: number;
}

const PATIENCE: LockPatience = { waitMs: 250, pauseMs: 750, giveUpMs: 30 * 60_000 };

/** SQLSTATEs of a lock that was not granted in time, and of a deadlock. */
const LOCK_CODES = ['55P03', '40P01'];
const UNIQUE_VIOLATION = '23505';
const DUPLICATE_OBJECT = '42710';

/**
 * Runs work whose statements take strong locks. No statement waits long for its lock, because later statements would wait
 * behind it. Work that did not get a lock is tried again, so it must be idempotent or one transaction. So is work that
 * found a role missing which a run on another database of the cluster made at the same moment: all databases of a cluster
 * share the roles.
 *
 * @throws Error naming the oldest transaction, if a lock was not granted for half an hour
 */
export async function withShortLocks<T>(
  client: Client,
  work: () => Promise<T>,
  patience: LockPatience = PATIENCE,
): Promise<T> {
  const giveUpAt = Date.now() + patience.giveUpMs;
  for (;;) {
    await client.query(`SET lock_timeout = ${patience.waitMs}`);
    try {
      return await work();
    } catch (error) {
      if (!isLockFailure(error) && !isRoleMadeMeanwhile(error)) throw error;
      await client.query('ROLLBACK');
      if (Date.now() >= giveUpAt) throw await failureOf(client, error);
      await delay(patience.pauseMs);
    } finally {
      await client.query('SET lock_timeout = 0').catch(() => undefined);
    }
  }
}

const isLockFailure = (error: unknown): boolean =>
  error instanceof DatabaseError && LOCK_CODES.includes(error.code ?? '');

/** CREATE ROLE names the index of the roles if the other run commits while it waits, and the role if it committed before. */
const isRoleMadeMeanwhile = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  ((error.code === UNIQUE_VIOLATION && error.table === 'pg_authid') ||
    (error.code === DUPLICATE_OBJECT && error.routine === 'CreateRole'));

/** Names the transaction that has run for longest, which most often holds the lock. */
async function failureOf(client: Client, cause: unknown): Promise<Error> {
  const { rows } = await client.query<{ pid: number; name: string; since: string }>(
    `SELECT pid, application_name AS name, xact_start::text AS since FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
      ORDER BY xact_start LIMIT 1`,
  );
  const [oldest] = rows;
  const holder = oldest
    ? `; the oldest transaction is that of process ${oldest.pid} (${oldest.name}), since ${oldest.since}`
    : '';
  return new Error(`a lock was not had, however often it was asked for${holder}`, { cause });
}
