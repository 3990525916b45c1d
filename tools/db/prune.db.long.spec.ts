import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { applyDirectory, SOURCE_SCHEMA } from '@plat/database';
import { examineDatabase } from '@plat/invariants';
import {
  createTestDatabase,
  execFile,
  makeOldMonths,
  monthName,
  monthsAgo,
  spawn,
  type TestDatabase,
  testDirectory,
  writeOldTrail,
} from '@plat/testing';
import { runPrune } from './prune';

const root = join(__dirname, '..', '..');
const name = (months: number): string => `audit_events_${monthName(monthsAgo(months))}`;

describe('npm run db -- prune', () => {
  let database: TestDatabase;
  let folder: string;
  let program: string;
  // As in the image of the database job, so that the process does nothing but its work.
  beforeAll(async () => {
    program = await mkdtemp(join(tmpdir(), 'plat-db-program-'));
    const build = `import(process.argv[1]).then(({ default: build }) => build({ outdir: process.argv[2] }))`;
    const builder = pathToFileURL(join(root, 'tools', 'db', 'build.mjs')).href;
    await promisify(execFile)(process.execPath, ['-e', build, builder, program], { cwd: root });
  }, 60_000);
  afterAll(() => rm(program, { recursive: true }));
  beforeEach(async () => {
    [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'plat-db-'))]);
    await applyDirectory(database.ownerUrl, testDirectory('https://id.example'));
    await makeOldMonths(database, 5);
    await writeOldTrail(database, 'acme', { months: 5, rows: 3 });
    await writeOldTrail(database, 'globex', { months: 1, rows: 2 });
  });
  afterEach(() => Promise.all([database.drop(), rm(folder, { recursive: true })]));

  async function run(...args: string[]): Promise<string[]> {
    const lines: string[] = [];
    const job = { ownerUrl: database.ownerUrl, schema: SOURCE_SCHEMA, environment: {} };
    await runPrune({ ...job, print: (line) => void lines.push(line) }, args);
    return lines;
  }
  const contents = () =>
    database.query(
      `SELECT tableoid::regclass::text AS place, e::text FROM audit.audit_events e
        UNION ALL SELECT partition, state FROM audit.partitions()
        UNION ALL SELECT 'export', p::text FROM audit.pruned_partitions p ORDER BY 1, 2`,
    );

  it.each([
    ['no period', [], 'removes what is older than a period'],
    ['no period with --dry-run', ['--dry-run'], 'removes what is older than a period'],
    ['an unknown option', ['--keep-reviews', '1years'], 'removes what is older than a period'],
    ['an operand', ['audit'], 'removes what is older than a period'],
    ['the trail without an export', ['--keep-audit', '3months'], '--keep-audit needs --export DIR'],
    ['an export without the trail', ['--keep-builds', '3months', '--export', 'x'], '--export goes with'],
    ['no unit', ['--keep-builds', '3'], '--keep-builds 3: a period is a number of days, months or years'],
    ['nothing', ['--keep-builds', '0days'], 'a period is a number'],
    ['an SQL text', ['--keep-builds', "1days' OR 1=1"], 'a period is a number'],
    ['no folder', ['--keep-audit', '3months', '--export', '/nowhere/at/all'], 'is no directory'],
  ])('refuses, and removes nothing: %s', async (_, args, message) => {
    const was = await contents();
    await expect(run(...args)).rejects.toThrow(message);
    expect(await contents()).toEqual(was);
  });

  it('with --dry-run prints months, numbers and times, and changes no table', async () => {
    const was = await contents();
    const lines = await run(
      '--dry-run',
      '--keep-audit',
      '3months',
      '--keep-builds',
      '1years',
      '--keep-gate-runs',
      '90days',
    );
    const at = (seconds: number) =>
      new Date(monthsAgo(5).getTime() + seconds * 1_000).toISOString().replace('.000', '');
    expect(lines).toEqual([
      expect.stringMatching(/^audit\.audit_events: months that ended before \d{4}-\d\d-\d\dT[\d:]+Z$/),
      `  would export ${name(5)}: 3 rows, from ${at(1)} to ${at(3)}, to ${name(5)}.ndjson.gz`,
      expect.stringMatching(/^builds\.builds: rows from before /),
      '  would delete 0',
      '  kept 0 that something needs',
      expect.stringMatching(/^reviews\.gate_runs: rows from before /),
      '  would delete 0',
      '  kept 0 that something needs',
      'Nothing was removed.',
    ]);
    expect(await contents()).toEqual(was);
    expect(await readdir(folder)).toEqual([]);
  });

  it('prints what has gone and what a hold keeps, and breaks no invariant', async () => {
    const lines = await run('--keep-audit', '3months', '--export', folder);
    expect(lines.slice(1)).toEqual([
      '  dropped      audit_events_early',
      expect.stringMatching(`^  exported     ${name(5)}: 3 rows, from .* to ${name(5)}\\.ndjson\\.gz$`),
      `  dropped      ${name(5)}`,
      `  dropped      ${name(4)}`,
    ]);
    expect((await readdir(folder)).sort()).toEqual([`${name(5)}.manifest.json`, `${name(5)}.ndjson.gz`]);
    expect(await examineDatabase(database.ownerUrl)).toEqual([]);
    await database.query(
      `INSERT INTO audit.holds (covers, kept_until, reason) VALUES (tstzrange(NULL, NULL), '2999-01-01', 'case 7')`,
    );
    await writeOldTrail(database, 'acme', { months: 3, rows: 1 });
    expect((await run('--keep-audit', '32days', '--export', folder)).slice(1)).toContain(
      `  stays        ${name(3)}: held until 2999-01-01T00:00:00Z: case 7`,
    );
  });

  it('breaks no invariant while it is interrupted between detaching and dropping', async () => {
    await database.query(`SELECT audit.record_export($1, $1, tstzrange($2, $3), 3, 1, repeat('a', 64))`, [
      name(5),
      monthsAgo(5),
      monthsAgo(4),
    ]);
    await database.query(`ALTER TABLE audit.audit_events DETACH PARTITION audit.${name(5)}`);
    expect(await examineDatabase(database.ownerUrl)).toEqual([]);
  });

  it('drops nothing if the disk is full, and goes on when it has room', async () => {
    await writeOldTrail(database, 'acme', { months: 4, rows: 20_000 });
    const was = await contents();
    // A limit of 64 KiB a file, which node reports as an error of the write.
    const limited = await started(['-c', `ulimit -f 64; exec "$0" "$@"`, process.execPath, ...entry()]);
    expect(limited).toMatchObject({ code: 1, stderr: expect.stringMatching(/EFBIG|ENOSPC/) });
    expect((await contents()).filter(({ place }) => (place as string).includes(name(4)))).toEqual(
      was.filter(({ place }) => (place as string).includes(name(4))),
    );
    expect((await readdir(folder)).filter((file) => file.includes(name(4)))).toEqual([]);
    await run('--keep-audit', '3months', '--export', folder);
    expect(await readdir(folder)).toContain(`${name(4)}.ndjson.gz`);
  }, 60_000);

  it('completes what a killed process has left', async () => {
    await writeOldTrail(database, 'acme', { months: 4, rows: 20_000 });
    const child = spawn(process.execPath, entry(), { cwd: root, env: environment(), stdio: 'ignore' });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    while (!(await readdir(folder)).includes(`${name(4)}.ndjson.gz.unfinished`)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.kill('SIGKILL');
    await exited;
    const rows = await database.query(`SELECT FROM audit.${name(4)}`);
    expect(rows).toHaveLength(20_000);
    await run('--keep-audit', '3months', '--export', folder);
    expect((await readdir(folder)).filter((file) => file.endsWith('.unfinished'))).toEqual([]);
    const [known] = await database.query(
      'SELECT rows, dropped_at IS NOT NULL AS dropped FROM audit.pruned_partitions WHERE partition = $1',
      [name(4)],
    );
    expect(known).toEqual({ rows: '20000', dropped: true });
  }, 60_000);

  const entry = (): string[] => [
    join(program, 'main.js'),
    ...['prune', '--keep-audit', '3months', '--export', folder],
  ];
  const environment = () => {
    const { PATH = '', HOME = '' } = process.env;
    return { PATH, HOME, DATABASE_URL: database.ownerUrl };
  };
  const started = (args: string[]) =>
    new Promise<{ code: number; stderr: string }>((resolve) => {
      execFile('bash', args, { cwd: root, env: environment() }, (error, _, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stderr }),
      );
    });
});
