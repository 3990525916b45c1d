import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';

/** Another run made the schema, the table or the type of its rows at the same moment. */
const MADE_MEANWHILE = ['23505', '42P06', '42P07', '42710'];
const LOCK_NOT_AVAILABLE = '55P03';
const ASK_AGAIN_MS = 200;

/**
 * Waits until no other run migrates the database. The lock is a table of the owner's, which no service's login can lock.
 * The lock is polled, because a statement that waits in the database holds a snapshot, and the other run's CREATE INDEX
 * CONCURRENTLY would wait for that snapshot.
 *
 * @returns a function that releases the lock
 */
export async function lockMigrations(ownerUrl: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await makeLock(client);
    await client.query('SET idle_in_transaction_session_timeout = 0');
    while (!(await hasLock(client))) await delay(ASK_AGAIN_MS);
  } catch (error) {
    await client.end();
    throw error;
  }
  return () => client.end();
}

async function hasLock(client: Client): Promise<boolean> {
  await client.query('BEGIN');
  try {
    await client.query('LOCK TABLE migrations.running IN ACCESS EXCLUSIVE MODE NOWAIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK');
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
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
