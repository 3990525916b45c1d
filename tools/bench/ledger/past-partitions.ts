import type { Client } from 'pg';

/**
 * Makes a partition for each month of the past days, in place of the empty one that holds all that is older than the first
 * month.
 */
export async function makePastPartitions(owner: Client, table: string, days: number): Promise<void> {
  await owner.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_early`);
  await owner.query(
    `CALL tenancy.make_partitions('${table}', current_date - ${days}, ${Math.ceil(days / 28) + 1})`,
  );
}
