/** @peers postgresql-15 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { ServiceName } from '@plat/contracts/core';
import { keepRefusalsOutOfLog, LOGIN_ROLES } from '@plat/database';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { workspaceRoot } from '@plat/local';
import {
  buildService,
  peer,
  ReviewScene,
  type ServiceProcess,
  startService,
  startTestService,
  type TestService,
} from '@plat/testing';
import { ALL_SERVICES } from './all-services';

const PASSWORD = 'spec-of-the-backup';
const SERVICE_PASSWORDS = Object.fromEntries(
  Object.values(LOGIN_ROLES).map((role) => [`${role.toUpperCase()}_PASSWORD`, PASSWORD]),
);

/**
 * Columns, constraints, indexes, policies, grants and owners of everything in the schemas of plat. Constraints are compared
 * without brackets, because PostgreSQL brackets a chain of ORs otherwise when it has read its own text.
 */
const CATALOGUE = `
  SELECT 'relation ' || c.oid::regclass AS thing, concat_ws(' ', pg_get_userbyid(c.relowner), c.relkind, c.relrowsecurity,
         c.relforcerowsecurity,
         ARRAY(SELECT unnest(coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's'::"char" ELSE 'r' END, c.relowner)))::text ORDER BY 1), pg_get_expr(c.relpartbound, c.oid),
         CASE WHEN c.relkind IN ('i', 'I') THEN pg_get_indexdef(c.oid) END) AS facts
    FROM pg_class c WHERE c.relnamespace IN (SELECT oid FROM house)
  UNION ALL SELECT format('column %s.%s', a.attrelid::regclass, a.attname),
         concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull,
         ARRAY(SELECT unnest(a.attacl)::text ORDER BY 1))
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
   WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relnamespace IN (SELECT oid FROM house)
  UNION ALL SELECT format('constraint %s.%s', conrelid::regclass, conname), concat_ws(' ', regexp_replace(pg_get_constraintdef(oid), '[()\\s]', '', 'g'), convalidated)
    FROM pg_constraint WHERE connamespace IN (SELECT oid FROM house) AND conparentid = 0
  UNION ALL SELECT format('policy %s.%s', polrelid::regclass, polname), concat_ws(' ', polcmd, polroles::regrole[],
         pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) FROM pg_policy
  UNION ALL SELECT 'function ' || oid::regprocedure, concat_ws(' ', pg_get_userbyid(proowner), ARRAY(SELECT unnest(coalesce(proacl, acldefault('f', proowner)))::text ORDER BY 1),
         md5(CASE WHEN prokind IN ('f', 'p') THEN pg_get_functiondef(oid) END))
    FROM pg_proc WHERE pronamespace IN (SELECT oid FROM house)
  UNION ALL SELECT 'trigger ' || tgrelid::regclass || tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'schema ' || nspname, concat_ws(' ', pg_get_userbyid(nspowner), ARRAY(SELECT unnest(coalesce(nspacl, acldefault('n', nspowner)))::text ORDER BY 1)) FROM house
  UNION ALL SELECT 'role ' || rolname, concat_ws(' ', rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication,
         rolbypassrls, rolconfig, ARRAY(SELECT roleid::regrole::text FROM pg_auth_members WHERE member = r.oid ORDER BY 1))
    FROM pg_roles r WHERE rolname LIKE 'plat\\_%'
  ORDER BY 1`;
const HOUSE = `WITH house AS (SELECT * FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname NOT IN ('public', 'information_schema'))`;

async function ask(url: string, sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client
    .query<Record<string, string>>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

/** What a restored database must have alike: every object with its rights, and a digest of every table's rows. */
async function portrait(url: string): Promise<Record<string, string>> {
  const things = await ask(url, `${HOUSE} ${CATALOGUE}`);
  const tables = await ask(
    url,
    `${HOUSE} SELECT c.oid::regclass::text AS name FROM pg_class c
      WHERE relkind = 'r' AND relnamespace IN (SELECT oid FROM house) ORDER BY 1`,
  );
  const portrayed = Object.fromEntries(things.map(({ thing, facts }) => [thing!, facts!]));
  for (const { name } of tables) {
    const [sums] = await ask(
      url,
      `SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text)), '') AS facts FROM ${name} t`,
    );
    portrayed[`rows of ${name}`] = sums!.facts!;
  }
  return portrayed;
}

describe('a backup, by the commands of docs/operations.md', () => {
  const binaries = () => ({ initdb: peer('initdb'), postgres: peer('postgres'), major: '15' });
  let folder: string;
  let page: string;
  let source: EmbeddedCluster;
  let service: TestService;
  let before: Record<string, string>;
  const clusters: EmbeddedCluster[] = [];

  /** A cluster that keeps what a replica needs; `name` is its folder. */
  async function cluster(name: string): Promise<EmbeddedCluster> {
    const settings = { wal_level: 'replica', max_wal_senders: '4', timezone: 'UTC' };
    const started = await startCluster({
      dataDir: join(folder, name),
      durable: false,
      binaries: binaries(),
      settings,
    });
    clusters.push(started);
    return started;
  }

  /** Runs the commands of a block of the page. @throws Error with their output if one of them fails */
  async function follow(block: string, environment: Record<string, string>): Promise<string> {
    const [, commands] = new RegExp(`\`\`\`sh ${block}\\n([^]*?)\`\`\``).exec(page)!;
    const inFolder = commands!.replaceAll(
      /npm run (\w+)/g,
      `npm --silent --prefix ${workspaceRoot()} run $1`,
    );
    const PATH = `${dirname(peer('pg_dump'))}:${dirname(process.execPath)}:/usr/bin:/bin`;
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', inFolder], {
      cwd: folder,
      env: { PATH, HOME: folder, ...environment },
      maxBuffer: 2 ** 24,
    });
    return stdout;
  }
  const connection = (url: string): Record<string, string> => {
    const { hostname, port, username, password, pathname } = new URL(url);
    return {
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
      PGDATABASE: pathname.slice(1),
    };
  };
  const asBackup = () => ({
    ...connection(service.database.ownerUrl),
    PGUSER: 'plat_backup',
    PGPASSWORD: PASSWORD,
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-restore-'));
    await chmod(folder, 0o755);
    page = await readFile(join(workspaceRoot(), 'docs', 'operations.md'), 'utf8');
    source = await cluster('source');
    const shared = process.env.PLAT_TEST_DATABASE_URL;
    process.env.PLAT_TEST_DATABASE_URL = source.url();
    service = await startTestService(...ALL_SERVICES);
    process.env.PLAT_TEST_DATABASE_URL = shared;
    const scene = new ReviewScene(service);
    for (const status of ['MERGE', 'READY', 'FAILED', 'CLOSED', 'OPEN'] as const) await scene.reach(status);
    // As `npm run db -- migrate` does.
    await keepRefusalsOutOfLog(service.database.ownerUrl);
    await follow('role', { DATABASE_URL: service.database.ownerUrl, PLAT_BACKUP_PASSWORD: PASSWORD });
    before = await portrait(service.database.ownerUrl);
  }, 300_000);
  afterAll(async () => {
    await service.stop();
    await Promise.all(clusters.map((started) => started.stop()));
    await rm(folder, { recursive: true });
  }, 60_000);

  it('by the owner, who sees no row, is refused', async () => {
    await ask(
      source.url(),
      `CREATE ROLE spec_owner LOGIN PASSWORD '${PASSWORD}' IN ROLE plat_audit_owner, plat_builds_owner,
      plat_identity_owner, plat_reviews_owner, plat_releases_owner, plat_environments_owner`,
    );
    const asOwner = { ...asBackup(), PGUSER: 'spec_owner' };
    await expect(follow('dump', asOwner)).rejects.toThrow(/row-level security|permission denied/);
    await ask(source.url(), 'DROP ROLE spec_owner');
  });

  it('as a dump, is restored with every row, role, right and policy, and the services go on with it', async () => {
    await follow('dump', asBackup());
    const target = await cluster('target');
    const url = target.url('plat');
    await follow('restore', { ...connection(target.url()), ...SERVICE_PASSWORDS, DATABASE_URL: url });
    expect(await portrait(url)).toEqual(before);
    expect(await goOn(url)).toEqual([200, 201, 'READY']);
  }, 300_000);

  it('as a base backup, is verified and started with every row, role, right and policy', async () => {
    await follow('base', asBackup());
    const copy = join(folder, 'copy');
    await promisify(execFile)('bash', [
      '-c',
      `mkdir ${copy} && mv ${folder}/base ${copy}/data && cp -p ${folder}/source/password ${copy}/ && chown -R --reference=${folder}/source ${copy} && chown -R --reference=${folder}/source/data ${copy}/data`,
    ]);
    const restored = await cluster('copy');
    const { pathname } = new URL(service.database.ownerUrl);
    expect(await portrait(restored.url(pathname.slice(1)))).toEqual(before);
  }, 120_000);

  /** Starts the services whose work is a report of a build, and sends one for a review from before the backup. */
  async function goOn(url: string): Promise<unknown[]> {
    const running: ServiceProcess[] = [];
    try {
      const start = async (name: ServiceName) => {
        await buildService(name);
        const login = Object.assign(new URL(url), { username: LOGIN_ROLES[name], password: PASSWORD }).href;
        const started = await startService(name, { DATABASE_URL: login });
        running.push(started);
        return started;
      };
      const [reviews, builds] = [await start('reviews'), await start('builds')];
      const headers = { authorization: await service.bearer('alice'), 'content-type': 'application/json' };
      const listed = await fetch(`${reviews.url}/v1/reviews?status=OPEN`, { headers });
      const found = (await listed.json()) as { reviewId: string }[];
      const { reviewId } = found[0]!;
      const body = JSON.stringify({
        kind: 'RECORDED',
        successful: true,
        commitId: 'a'.repeat(40),
        version: '1.0.0',
      });
      const reported = await fetch(`${builds.url}/v1/reviews/${reviewId}/builds`, {
        method: 'POST',
        headers,
        body,
      });
      const review = (await (await fetch(`${reviews.url}/v1/reviews/${reviewId}`, { headers })).json()) as {
        status: string;
      };
      return [listed.status, reported.status, review.status];
    } finally {
      for (const { child, exited } of running) {
        child.kill();
        await exited;
      }
    }
  }
});
