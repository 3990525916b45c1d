import { Database } from '@plat/database';
import type { TestDatabase } from './test-database';

/** The number of scans of a table's indexes so far. A partition's index counts for its parent. */
const SCANS = `
  SELECT coalesce(i.inhparent, s.indexrelid)::regclass::text AS index, sum(s.idx_scan)::int AS scans
    FROM pg_stat_user_indexes s
    LEFT JOIN pg_inherits i ON i.inhrelid = s.indexrelid
    LEFT JOIN pg_inherits t ON t.inhrelid = s.relid
   WHERE coalesce(t.inhparent, s.relid) = $1::regclass GROUP BY 1`;

/**
 * Determines which indexes of a table some work scans, by the server's own count, because EXPLAIN does not show the
 * statements inside a function.
 *
 * @param loginRole the service's login that the work runs under
 */
export async function readScannedIndexes(
  database: TestDatabase,
  { loginRole, table }: { loginRole: string; table: string },
  work: (connection: Database) => Promise<unknown>,
): Promise<string[]> {
  const count = async (): Promise<Map<string, number>> => {
    const rows = await database.query<{ index: string; scans: number }>(SCANS, [table]);
    return new Map(rows.map(({ index, scans }) => [index, scans]));
  };
  // One connection, so that the count is flushed by the session that scanned.
  const connection = await Database.connect({
    url: database.url(loginRole),
    applicationName: 'plat-test',
    poolSizeMax: 1,
    preparedStatements: false,
  });
  try {
    const before = await count();
    await work(connection);
    await connection.run({ name: 'flush', text: 'SELECT pg_stat_force_next_flush()', values: [] });
    const after = await count();
    return [...after.keys()].filter((index) => after.get(index)! > before.get(index)!);
  } finally {
    await connection.close();
  }
}
