import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Client } from 'pg';
import {
  createTestDatabase,
  cutAfter,
  makeOldMonths,
  monthName,
  monthsAgo,
  type TestDatabase,
  testDirectory,
  writeOldTrail,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { withOwner } from '../tenants/tenant-session';
import { dataFile } from './export-files';
import { pruneTrail, type TrailStep } from './prune-trail';

const HURRIED = { waitMs: 100, pauseMs: 10, giveUpMs: 300 };
const name = (months: number): string => `audit_events_${monthName(monthsAgo(months))}`;

/** Rows of both tenants 1, 2, 3 and 4 months ago; those of 3 and 4 months ago go. */
describe('pruning the trail', () => {
  let database: TestDatabase;
  let folder: string;
  const clients: Client[] = [];
  const before = monthsAgo(2).toISOString();
  beforeEach(async () => {
    [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'plat-prune-'))]);
    await applyDirectory(database.ownerUrl, testDirectory('https://id.example'));
    await makeOldMonths(database, 5);
    for (const months of [1, 2, 3, 4]) {
      await writeOldTrail(database, 'acme', { months, rows: 10 * months });
      await writeOldTrail(database, 'globex', { months, rows: 3 });
    }
  }, 60_000);
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await Promise.all([database.drop(), rm(folder, { recursive: true, force: true })]);
  });
  const prune = async (
    change = (client: Client) => client,
    until = before,
    into = folder,
  ): Promise<TrailStep[]> => {
    const steps: TrailStep[] = [];
    const pruning = {
      before: until,
      folder: into,
      patience: HURRIED,
      onStep: (step: TrailStep) => steps.push(step),
    };
    await withOwner(database.ownerUrl, (client) => pruneTrail(change(client), pruning));
    return steps;
  };
  const partitions = async (): Promise<string[]> =>
    (await database.query<{ partition: string }>('SELECT partition FROM audit.partitions()'))
      .map(({ partition }) => partition)
      .filter(
        (partition) => partition < `audit_events_${monthName(monthsAgo(0))}` || /early/.test(partition),
      );
  const rowsOf = async (months: number): Promise<string[]> =>
    (
      await database.query<{ line: string }>(
        `SELECT to_jsonb(e)::text AS line FROM audit.${name(months)} e ORDER BY tenant_id, created_at, audit_event_id`,
      )
    ).map(({ line }) => line);
  const readExport = async (months: number): Promise<string> =>
    gunzipSync(await readFile(join(folder, dataFile(name(months))))).toString();
  const lines = (rows: string[]): string => rows.map((row) => `${row}\n`).join('');

  it('comes to the same end if it is killed at each of its statements, and no row is ever in neither place', async () => {
    const rows = await rowsOf(4);
    const until = monthsAgo(3).toISOString();
    const left = await database.query(
      `SELECT e::text FROM audit.audit_events e WHERE created_at >= $1 ORDER BY 1`,
      [until],
    );
    const isThere = async (): Promise<boolean> =>
      (await database.query(`SELECT WHERE to_regclass($1) IS NOT NULL`, [`audit.${name(4)}`])).length === 1;
    let kills = 0;
    for (let statements = 0; ; statements += 1) {
      try {
        await prune((client) => cutAfter(client, { left: statements }), until);
        break;
      } catch (error) {
        if (!/cut here/.test(`${String(error)} ${String((error as Error).cause)}`)) throw error;
        kills += 1;
      }
      if (await isThere()) expect(await rowsOf(4)).toEqual(rows);
      else expect(await readExport(4)).toBe(lines(rows));
    }
    expect(kills).toBeGreaterThan(20);
    expect(await isThere()).toBe(false);
    expect(await readExport(4)).toBe(lines(rows));
    expect(await database.query('SELECT e::text FROM audit.audit_events e ORDER BY 1')).toEqual(left);
    expect(await partitions()).toEqual(['audit_events_early', name(3), name(2), name(1)]);
    expect(await database.query('SELECT FROM audit.pruned_partitions WHERE dropped_at IS NULL')).toEqual([]);
  }, 240_000);

  it('exports again what was damaged since a kill, before it drops', async () => {
    const old = await rowsOf(4);
    for (let left = 1; !(await readdir(folder)).includes(dataFile(name(4))); left += 1) {
      await prune((client) => cutAfter(client, { left })).catch(() => undefined);
    }
    expect(await rowsOf(4)).toEqual(old);
    const whole = await readFile(join(folder, dataFile(name(4))));
    await writeFile(join(folder, dataFile(name(4))), whole.subarray(0, whole.length - 20));
    await prune();
    expect(await readExport(4)).toBe(lines(old));
  }, 60_000);
});
