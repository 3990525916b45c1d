import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import {
  createTestDatabase,
  makeOldMonths,
  monthName,
  monthsAgo,
  TEST_TENANTS,
  type TestDatabase,
  testDirectory,
  writeOldTrail,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { withOwner } from '../tenants/tenant-session';
import { dataFile, type Manifest, manifestFile } from './export-files';
import { lookAtTrail, pruneTrail, type TrailStep } from './prune-trail';
import { withoutOthers } from './retention';

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

  async function connect(url = database.ownerUrl): Promise<Client> {
    const client = new Client({ connectionString: url });
    await client.connect();
    clients.push(client);
    return client;
  }
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
  /** Every row and its partition, with all partitions and what is known of exports. */
  const contents = async (): Promise<unknown[]> => [
    await database.query(
      `SELECT tableoid::regclass::text AS place, e::text AS row FROM audit.audit_events e ORDER BY 1, 2`,
    ),
    await database.query('SELECT partition, covers::text, state FROM audit.partitions()'),
    await database.query('SELECT * FROM audit.pruned_partitions'),
  ];
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

  it('exports whole months of all tenants, drops them and leaves every other row', async () => {
    const old = await rowsOf(4);
    const left = await database.query(
      `SELECT e::text FROM audit.audit_events e WHERE created_at >= $1 ORDER BY 1`,
      [before],
    );
    const steps = await prune();
    expect(steps.filter(({ what }) => what === 'dropped').map(({ partition }) => partition)).toEqual([
      'audit_events_early',
      name(5),
      name(4),
      name(3),
    ]);
    expect(await readExport(4)).toBe(lines(old));
    expect(await database.query('SELECT e::text FROM audit.audit_events e ORDER BY 1')).toEqual(left);
    // The partition of all time before begins where the months end, so that older rows of others still have a place.
    expect(await partitions()).toEqual(['audit_events_early', name(2), name(1)]);
    await writeOldTrail(database, 'acme', { months: 4, rows: 1 });
    expect(await prune()).toEqual([
      expect.objectContaining({
        what: 'exported',
        file: `audit_events_before_${monthName(monthsAgo(2))}.ndjson.gz`,
      }),
      { what: 'dropped', partition: 'audit_events_early' },
    ]);
    expect(await prune()).toEqual([]);
  });

  it('writes a manifest by which the export can be checked, readable by its owner alone', async () => {
    const [first, ...rest] = (await rowsOf(3)).map((line) => JSON.parse(line) as Record<string, string>);
    await prune();
    const manifest = JSON.parse(await readFile(join(folder, manifestFile(name(3))), 'utf8')) as Manifest;
    const file = await readFile(join(folder, manifest.file));
    const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');
    expect(manifest).toMatchObject({
      format: 'plat-trail/1',
      rows: 33,
      partition: name(3),
      fileSha256: sha256(file),
      sha256: sha256(gunzipSync(file)),
      schemaVersion: expect.stringMatching(/^\d{4}_/),
    });
    const ids = [first!, ...rest].map(({ audit_event_id: id }) => id);
    expect(ids).toContain(manifest.first!.id);
    expect(manifest.last!.at > manifest.first!.at).toBe(true);
    expect(
      await database.query('SELECT rows, sha256 FROM audit.pruned_partitions WHERE partition = $1', [
        name(3),
      ]),
    ).toEqual([{ rows: '33', sha256: manifest.sha256 }]);
    for (const entry of await readdir(folder)) {
      expect((await stat(join(folder, entry))).mode & 0o777).toBe(0o600);
    }
    expect((await readdir(folder)).filter((entry) => entry.endsWith('.unfinished'))).toEqual([]);
  });

  it('changes nothing when it only looks, and reports what would go', async () => {
    const was = await contents();
    const steps: TrailStep[] = [];
    await withOwner(database.ownerUrl, async (client) => {
      await client.query('SET default_transaction_read_only = on');
      await lookAtTrail(client, { before, onStep: (step) => steps.push(step) });
    });
    expect(steps).toEqual(
      [4, 3].map((months) => ({
        what: 'goes',
        partition: name(months),
        file: dataFile(name(months)),
        held: {
          rows: 10 * months + 3,
          oldest: new Date(monthsAgo(months).getTime() + 1_000).toISOString().replace('.000', ''),
          newest: new Date(monthsAgo(months).getTime() + 10_000 * months).toISOString().replace('.000', ''),
        },
      })),
    );
    expect(await contents()).toEqual(was);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['a file of that name', () => writeFile(join(folder, dataFile(name(4))), 'mine')],
    ['a manifest that is none', () => writeFile(join(folder, manifestFile(name(4))), 'mine')],
    [
      "another database's export",
      () =>
        writeFile(
          join(folder, manifestFile(name(4))),
          JSON.stringify({ format: 'plat-trail/1', database: 'another' }),
        ),
    ],
    ['no folder', () => rm(folder, { recursive: true })],
  ])('is refused before anything is dropped: %s', async (_, spoil) => {
    await spoil();
    const was = await contents();
    await expect(prune()).rejects.toThrow(/name another directory|is no directory/);
    expect(await contents()).toEqual(was);
    const files = await readdir(folder).catch(() => []);
    for (const file of files) expect(await readFile(join(folder, file), 'utf8')).toMatch(/mine|another/);
  });

  it('drops no row if the folder takes no file, and leaves no gap before the first month', async () => {
    const was = await database.query('SELECT e::text FROM audit.audit_events e ORDER BY 1');
    await expect(prune((client) => client, before, '/proc')).rejects.toThrow(/ENOENT|EACCES|EPERM/);
    expect(await database.query('SELECT e::text FROM audit.audit_events e ORDER BY 1')).toEqual(was);
    expect(await partitions()).toEqual(['audit_events_early', name(4), name(3), name(2), name(1)]);
    expect(await database.query('SELECT FROM audit.pruned_partitions')).toEqual([]);
  });

  it('keeps what a hold covers, and every month after it', async () => {
    await database.query(
      `INSERT INTO audit.holds (covers, kept_until, reason) VALUES (tstzrange($1, $2), 'infinity', 'case 7')`,
      [monthsAgo(4), monthsAgo(3)],
    );
    const steps = await prune();
    expect(steps.filter(({ what }) => what === 'stays')).toEqual([
      { what: 'stays', partition: name(4), obstacle: 'held until the hold is taken away: case 7' },
      { what: 'stays', partition: name(3), obstacle: 'a partition before it is kept' },
    ]);
    expect(await partitions()).toEqual(['audit_events_early', name(4), name(3), name(2), name(1)]);
    await database.query(`UPDATE audit.holds SET kept_until = now()`);
    await prune();
    expect(await partitions()).toEqual(['audit_events_early', name(2), name(1)]);
  });

  it('is one at a time, and not during a move of a tenant', async () => {
    const other = await connect();
    let [begun, going] = [() => {}, () => {}];
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const ending = new Promise<void>((resolve) => (going = resolve));
    const first = withoutOthers(other, () => {
      begun();
      return ending;
    });
    await beginning;
    const second = await connect();
    await expect(withoutOthers(second, () => Promise.resolve())).rejects.toThrow(
      'Another prune or erasure runs',
    );
    going();
    await first;
    await database.query(`INSERT INTO identity.closed_tenants (tenant_id, reason) VALUES ($1, 'arriving')`, [
      TEST_TENANTS.globex.tenantId,
    ]);
    await expect(withoutOthers(second, () => Promise.resolve())).rejects.toThrow('globex is being moved');
  });

  describe('in the database', () => {
    const detach = (months: number) =>
      database.query(`ALTER TABLE audit.audit_events DETACH PARTITION audit.${name(months)}`);
    const drop = (months: number) => database.query('SELECT audit.drop_partition($1)', [name(months)]);

    it('is not done while the partition is attached, without an export, or with another one', async () => {
      await expect(drop(4)).rejects.toThrow('is no detached partition');
      await detach(4);
      await expect(drop(4)).rejects.toThrow('has not been exported');
      const record = `SELECT audit.record_export($1, $1, tstzrange($2, $3), $4, $5, repeat('a', 64))`;
      await database.query(record, [name(4), monthsAgo(4), monthsAgo(3), 43, 7]);
      await expect(drop(4)).rejects.toThrow('has 43 rows that are not the 43 of its export');
      expect(await rowsOf(4)).toHaveLength(43);
      const [{ digest }] = (await database.query<{ digest: string }>(
        `SELECT sum(audit.line_digest(to_jsonb(e)::text)) AS digest FROM audit.${name(4)} e`,
      )) as [{ digest: string }];
      await database.query(record, [name(4), monthsAgo(4), monthsAgo(3), 43, digest]);
      await database.query(
        `INSERT INTO audit.holds (covers, kept_until, reason) VALUES (tstzrange(NULL, NULL), 'infinity', 'all')`,
      );
      await expect(drop(4)).rejects.toThrow('held until the hold is taken away: all');
      await database.query('DELETE FROM audit.holds');
      await drop(4);
      await expect(rowsOf(4)).rejects.toThrow('does not exist');
    });

    it('is never offered of the last day, and no login may call any of it', async () => {
      await expect(database.query(`SELECT * FROM audit.prunable_partitions(now())`)).rejects.toThrow(
        'kept for a day at least',
      );
      const callable = await database.query(
        `SELECT p.oid::regprocedure::text AS function, r.rolname FROM pg_proc p, pg_roles r
          WHERE p.pronamespace IN ('audit'::regnamespace, 'builds'::regnamespace, 'reviews'::regnamespace)
            AND p.proname IN ('partitions', 'hold_on', 'prunable_partitions', 'record_export', 'drop_partition',
                              'make_early_partition', 'open_partition', 'next_rows', 'examine_partition', 'mark_pruned',
                              'attach_partition', 'line_digest', 'prune', 'prune_gate_runs', 'needed')
            AND r.rolname ~ '^plat_(reviews|builds|releases|audit|platform|operations|inspector)$'
            AND has_function_privilege(r.oid, p.oid, 'EXECUTE')`,
      );
      expect(callable).toEqual([]);
    });
  });
});
