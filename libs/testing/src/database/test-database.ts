import { Pool, type QueryResultRow } from 'pg';
import { LOGIN_PASSWORD } from './login-password';
import { cloneTemplate, dropDatabase } from './template';

/** A migrated database of a test's own. */
export interface TestDatabase {
  /** The owner's URL: may do everything, and bypasses row-level security. */
  ownerUrl: string;
  /** The URL for a service's login role, such as `plat_reviews`. */
  url(loginRole: string): string;
  /** Runs one statement as the owner. */
  query<Row extends QueryResultRow>(sql: string, args?: unknown[]): Promise<Row[]>;
  /**
   * Runs one statement as the owner without triggers, foreign keys included: for rows that the product never writes.
   */
  force<Row extends QueryResultRow>(sql: string, args?: unknown[]): Promise<Row[]>;
  /** Ends the owner's connections and drops the database, even if others are connected. */
  drop(): Promise<void>;
}

/**
 * Makes a database for one test file, by copying the migrated template in the run's cluster.
 * The cluster's URL comes from the global set-up of jest, in PLAT_TEST_DATABASE_URL.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const clusterUrl = process.env.PLAT_TEST_DATABASE_URL;
  if (!clusterUrl) {
    throw new Error('PLAT_TEST_DATABASE_URL is not set: run this test by jest with its global set-up.');
  }
  const ownerUrl = await cloneTemplate(clusterUrl);
  const owner = new Pool({ connectionString: ownerUrl, max: 2, allowExitOnIdle: true });
  // `drop` cuts idle connections. Without a listener, their 'error' events would end the worker.
  owner.on('error', () => undefined);
  return {
    ownerUrl,
    url: (loginRole) => loginUrl(ownerUrl, loginRole),
    query: async <Row extends QueryResultRow>(sql: string, args: unknown[] = []) =>
      (await owner.query<Row>(sql, args)).rows,
    force: (sql, args = []) => force(owner, sql, args),
    drop: async () => {
      await owner.end();
      await dropDatabase(clusterUrl, new URL(ownerUrl).pathname.slice(1));
    },
  };
}

async function force<Row extends QueryResultRow>(owner: Pool, sql: string, args: unknown[]): Promise<Row[]> {
  const client = await owner.connect();
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    const { rows } = await client.query<Row>(sql, args);
    await client.query('COMMIT');
    return rows;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** Whether services reach their databases through a pooler that cannot keep named statements. */
export const isPooled = (): boolean => process.env.PLAT_TEST_POOLER_PORT !== undefined;

function loginUrl(ownerUrl: string, loginRole: string): string {
  const url = new URL(ownerUrl);
  url.port = process.env.PLAT_TEST_POOLER_PORT ?? url.port;
  url.username = loginRole;
  url.password = LOGIN_PASSWORD;
  return url.toString();
}
