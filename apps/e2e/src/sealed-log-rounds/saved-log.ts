import type { LogStand } from './stand';

const LEDGER = ['logs', 'entries', 'tiles', 'erasures'] as const;

/** A copy of the tables that a restore puts back. */
export type Slot = 'early' | 'late';
/** The extent of a copy: the sealed logs, or these and the trail that they are about. */
export type Extent = 'ledger' | 'everything';

const copiesOf = (extent: Extent): [table: string, name: string][] => [
  ...LEDGER.map((name): [string, string] => [`ledger.${name}`, name]),
  ...(extent === 'everything' ? [['audit.audit_events', 'audit_events'] as [string, string]] : []),
];

/** Statements that make the tables of the copies. */
export const SAVED_TABLES = (['early', 'late'] as const)
  .flatMap((slot) =>
    copiesOf('everything').map(([table, name]) => `CREATE TABLE rounds.${name}_${slot} (LIKE ${table});`),
  )
  .join('\n');

/** Copies the logs and the trail of all tenants, as a backup does, at one moment. */
export async function save({ forced }: LogStand, slot: Slot): Promise<void> {
  const copies = copiesOf('everything').map(
    ([table, name]) =>
      `DELETE FROM rounds.${name}_${slot}; INSERT INTO rounds.${name}_${slot} SELECT * FROM ${table};`,
  );
  await forced.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${copies.join('\n')} COMMIT`);
}

/** Puts a copy back. */
export async function putBack({ forced }: LogStand, slot: Slot, extent: Extent): Promise<void> {
  const copies = copiesOf(extent).map(
    ([table, name]) => `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM rounds.${name}_${slot};`,
  );
  await forced.query(`BEGIN; ${copies.join('\n')} COMMIT`);
}
