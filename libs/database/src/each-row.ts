import { type PoolClient, Query, type QueryConfig } from 'pg';

/** Runs a statement and hands each row on as it comes; none is kept. Resolves after the last one. */
export async function eachRow<Row>(
  client: PoolClient,
  statement: QueryConfig,
  take: (row: Row) => void,
): Promise<void> {
  let failure: unknown;
  await new Promise<void>((resolve, reject) => {
    client
      .query(new Query<Row & object>(statement))
      .on('row', (row) => {
        // Thrown into the driver, it would end the process.
        try {
          if (failure === undefined) take(row);
        } catch (error) {
          failure = error;
        }
      })
      .once('end', () => resolve())
      .once('error', reject);
  });
  if (failure !== undefined) throw failure;
}
