import { Client } from 'pg';
import { type SchemaSource, settleNames } from '@plat/database';
import type { Check, Finding } from './check';
import { findMigrationFaults } from './migrations';
import { findObjectFaults } from './objects';
import { rights } from './rights';
import { server } from './server';
import { settings } from './settings';
import { storage } from './storage';

/** SQLSTATE of a statement for which the login lacks a right. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** SQLSTATE of a statement on a table that is missing. */
const UNDEFINED_TABLE = '42P01';

/** Every check that reads the catalogue, in the order of the report. */
export const CHECKS: readonly Check[] = [...rights, ...storage, ...settings, ...server];

/**
 * Examines a database without changing anything. Any login may do it; what the login may not read is a finding.
 *
 * @throws Error if the database cannot be reached
 */
export async function examine(url: string, schema: SchemaSource): Promise<Finding[]> {
  const client = new Client({ connectionString: url, application_name: 'plat-doctor' });
  await client.connect();
  try {
    if (await isEmpty(client)) return [EMPTY];
    const findings: Finding[] = [];
    for (const check of CHECKS) findings.push(...(await run(client, check)));
    const mends = new Set(findings.map(({ mend }) => mend));
    const objects = await runUnlessDenied('objects', () => findObjectFaults(url));
    return [
      ...(await runUnlessDenied('migrations', () => findMigrationFaults(url, schema))),
      ...findings,
      // A dedicated check gives a better reason, so its finding wins over an object's with the same mend.
      ...objects.filter(({ severity, mend }) => severity === 'warning' || !mends.has(mend)),
    ];
  } finally {
    await client.end();
  }
}

const EMPTY: Finding = {
  severity: 'error',
  check: 'migrations',
  what: 'the database has no schema of plat: it is empty, or DATABASE_URL names another one',
  why: 'The first migration makes all that doctor examines.',
  mend: 'npm run db -- migrate',
};

/** Whether no migration was ever applied. */
async function isEmpty(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ empty: boolean }>(
    `SELECT to_regnamespace('migrations') IS NULL AS empty`,
  );
  return rows[0]!.empty;
}

async function run(client: Client, check: Check): Promise<Finding[]> {
  const { name, severity, why, sql, args = [] } = check;
  return runUnlessDenied(name, async () => {
    await client.query('BEGIN TRANSACTION READ ONLY');
    try {
      // A pooler in transaction mode takes no setting of a session.
      await client.query(`SET LOCAL statement_timeout TO '30s'`);
      // A function that a login has made in the schema public could run in place of PostgreSQL's own, as whoever examines.
      await settleNames(client);
      const { rows } = await client.query<Pick<Finding, 'what' | 'mend'> & Partial<Finding>>(sql, [...args]);
      return rows.map((row) => ({
        severity: row.severity ?? severity,
        check: name,
        what: row.what,
        why,
        mend: row.mend,
      }));
    } catch (error) {
      // The migrations or the objects report it.
      if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
      throw error;
    } finally {
      await client.query('ROLLBACK');
    }
  });
}

async function runUnlessDenied(check: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    return [
      {
        severity: 'warning',
        check,
        what: `not examined: ${(error as Error).message}`,
        why: 'The login of DATABASE_URL may not read what this check needs.',
        mend: 'examine as the owner of the database',
      },
    ];
  }
}
