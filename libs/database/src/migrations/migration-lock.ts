import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { settleSession } from '../connections/settle-session';

/** Another run made the schema, the table or the type of its rows at the same moment. */
const MADE_MEANWHILE = ['23505', '42P06', '42P07', '42710'];
const LOCK_NOT_AVAILABLE = '55P03';
const ASK_AGAIN_MS = 200;

/**
 * How soon the server ends the session of a machine that vanished, as far as its address has a network: 30 s of silence and
 * three probes. Its lock would last for hours by the system's default.
 */
const PROBES = 'SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3';

export interface MigrationLock {
  /** Fails when the connection that holds the lock is lost: another run may work then. */
  lost: Promise<never>;
  release(): Promise<void>;
}

/**
 * Waits until no other run migrates the database. The lock is a table of the owner's, which no service's login can lock.
 * The lock is polled, because a statement that waits in the database holds a snapshot, and the other run's CREATE INDEX
 * CONCURRENTLY would wait for that snapshot. Its mode excludes runs, and neither waits for a dump nor delays one.
 *
 * @param onWait is called once if another session holds the lock
 */
export async function lockMigrations(
  ownerUrl: string,
  onWait: (holder: string) => void = () => undefined,
): Promise<MigrationLock> {
  const client = new Client({ connectionString: ownerUrl });
  const lost = new Promise<never>((_, reject) =>
    client.on('error', ({ message }) => reject(new Error(`${LOST}: ${message}`))),
  );
  // It may be lost before anything waits for it.
  lost.catch(() => undefined);
  await client.connect();
  try {
    await settleSession(client);
    await client.query(PROBES);
    await makeLock(client);
    for (let asked = 0; !(await hasLock(client)); asked += 1) {
      if (asked === 0) onWait(await describeHolder(client));
      await delay(ASK_AGAIN_MS);
    }
  } catch (error) {
    await client.end();
    throw error;
  }
  return { lost, release: () => client.end() };
}

const LOST = 'The connection that holds the lock of the migrations was lost. Run migrate again';

async function hasLock(client: Client): Promise<boolean> {
  await client.query('BEGIN');
  try {
    await client.query('LOCK TABLE migrations.running IN SHARE UPDATE EXCLUSIVE MODE NOWAIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK');
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

/** Describes the session that holds the lock, such as `process 12 of plat_op at 10.0.0.7`. */
async function describeHolder(client: Client): Promise<string> {
  const { rows } = await client.query<{ holder: string }>(
    `SELECT format('process %s of %s%s', a.pid, a.usename, ' at ' || host(a.client_addr)) AS holder
       FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.relation = 'migrations.running'::regclass AND l.granted AND l.mode <> 'AccessShareLock'`,
  );
  return rows[0]?.holder ?? 'a process that has just ended';
}

async function makeLock(client: Client): Promise<void> {
  try {
    await client.query('CREATE SCHEMA IF NOT EXISTS migrations');
    await client.query('CREATE TABLE IF NOT EXISTS migrations.running ()');
  } catch (error) {
    if (!MADE_MEANWHILE.includes(codeOf(error) ?? '')) throw error;
    await makeLock(client);
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;
