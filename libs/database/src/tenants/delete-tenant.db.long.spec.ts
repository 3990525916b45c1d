import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  createTestDatabase,
  cutAfter,
  fillTenant,
  proveScope,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
  type TestTenant,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { countTenantRows, deleteTenant } from './delete-tenant';
import { tenantNamed, withOwner } from './tenant-session';
import { DIRECTORY_TABLES, TENANT_TABLES } from './tenant-tables';

const ISSUER = 'https://id.example';
const ALL = [...TENANT_TABLES, ...DIRECTORY_TABLES].map(({ name }) => name);
describe('the end of a tenant', () => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'plat-end-'));
    await applyDirectory(database.ownerUrl, testDirectory(ISSUER));
    for (const tenant of ['acme', 'globex'] as const) await fillTenant(database, tenant);
    await database.query('DELETE FROM environments.environments');
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const end = (exportFile?: string) =>
    withOwner(database.ownerUrl, (client) => deleteTenant(client, 'acme', { exportFile }));
  const rowsOf = async (tenant: TestTenant): Promise<Record<string, number>> => {
    const counts = await Promise.all(
      ALL.map((table) =>
        database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE tenant_id = $1`, [
          TEST_TENANTS[tenant].tenantId,
        ]),
      ),
    );
    return Object.fromEntries(ALL.map((table, place) => [table, counts[place]![0]!.n]));
  };
  /** A checksum of every row of every table that is not the tenant's. */
  const others = async (): Promise<Record<string, string>> => {
    const sums = await Promise.all(
      ALL.map((table) =>
        database.query<{ sum: string }>(
          `SELECT coalesce(md5(string_agg(t::text, ';' ORDER BY t::text)), '') AS sum FROM ${table} t
            WHERE tenant_id IS DISTINCT FROM $1`,
          [TEST_TENANTS.acme.tenantId],
        ),
      ),
    );
    return Object.fromEntries(ALL.map((table, place) => [table, sums[place]![0]!.sum]));
  };

  it('knows every table that has rows of tenants', async () => {
    const catalogue = await database.query<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE a.attname = 'tenant_id' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND pg_get_userbyid(c.relowner) LIKE 'plat\\_%\\_owner'`,
    );
    expect([...ALL].sort()).toEqual(catalogue.map(({ name }) => name).sort());
  });

  it('counts what would go, and changes nothing', async () => {
    const before = await rowsOf('acme');
    const counts = await withOwner(database.ownerUrl, async (client) =>
      countTenantRows(client, await tenantNamed(client, 'acme')),
    );
    expect(Object.fromEntries(counts.map(({ table, rows }) => [table, rows]))).toEqual(before);
    expect(await rowsOf('acme')).toEqual(before);
  });

  it('deletes every row of the tenant, and changes no row of another', async () => {
    const filled = Object.entries(await rowsOf('acme')).filter(([, rows]) => rows === 0);
    expect(filled.map(([table]) => table).sort()).toEqual(
      [
        'environments.deletions',
        'environments.environments',
        'identity.closed_tenants',
        'identity.issuers',
      ].sort(),
    );
    const before = await others();
    await end();
    expect(new Set(Object.values(await rowsOf('acme')))).toEqual(new Set([0]));
    expect(await others()).toEqual(before);
  });

  it('reports the rows that it deleted from each table of the catalogue, as many as were counted', async () => {
    const counted = await rowsOf('acme');
    const deleted: [string, number][] = [];
    await withOwner(database.ownerUrl, (client) =>
      deleteTenant(client, 'acme', { onDeleted: ({ table, rows }) => void deleted.push([table, rows]) }),
    );
    expect(Object.fromEntries(deleted)).toEqual({ ...counted, 'identity.closed_tenants': 1 });
    expect(counted['builds.builds']).toBeGreaterThan(0);
  });

  it('exports the whole trail first, to a private file that says how many events it has', async () => {
    const file = join(folder, 'trail.jsonl');
    const events = await database.query<{ line: object }>(
      'SELECT to_jsonb(e) AS line FROM audit.audit_events e WHERE tenant_id = $1 ORDER BY created_at, audit_event_id',
      [TEST_TENANTS.acme.tenantId],
    );
    await end(file);
    const text = await readFile(file, 'utf8');
    const lines = text.trimEnd().split('\n');
    expect(lines.slice(0, -1).map((line) => JSON.parse(line) as object)).toEqual(
      events.map(({ line }) => line),
    );
    expect(JSON.parse(lines.at(-1)!)).toEqual({
      tenant: 'acme',
      tenantId: TEST_TENANTS.acme.tenantId,
      events: events.length,
      sha256: createHash('sha256')
        .update(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1))
        .digest('hex'),
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('deletes nothing if the file is there already and is something else', async () => {
    const file = join(folder, 'other');
    await writeFile(file, 'kept');
    const before = await rowsOf('acme');
    await expect(end(file)).rejects.toThrow('name another file');
    expect(await readFile(file, 'utf8')).toBe('kept');
    expect(await rowsOf('acme')).toEqual(before);
  });

  it.each(['an environment', 'a deletion that has not ended', 'a MERGE slot'])(
    'is refused while %s lives, and the tenant is served as before',
    async (what) => {
      await liveWork(database, what);
      const before = await rowsOf('acme');
      await expect(end()).rejects.toThrow('work that must be ended first');
      expect(await rowsOf('acme')).toEqual(before);
    },
  );

  it('comes to the same end if it is killed after each of its statements and run again', async () => {
    const file = join(folder, 'trail.jsonl');
    const before = await others();
    const { length: events } = await database.query('SELECT FROM audit.audit_events WHERE tenant_id = $1', [
      TEST_TENANTS.acme.tenantId,
    ]);
    let kills = 0;
    for (let statements = 1; ; statements += 7) {
      try {
        await withOwner(database.ownerUrl, (client) =>
          deleteTenant(cutAfter(client, { left: statements }), 'acme', { exportFile: file }),
        );
        break;
      } catch (error) {
        if (!/cut here|There is no tenant/.test(String(error))) throw error;
        kills += 1;
      }
      expect(await others()).toEqual(before);
    }
    expect(kills).toBeGreaterThan(5);
    expect(new Set(Object.values(await rowsOf('acme')))).toEqual(new Set([0]));
    expect(JSON.parse((await readFile(file, 'utf8')).trimEnd().split('\n').at(-1)!)).toMatchObject({
      events,
    });
  });

  it("waits for a service's transaction that was under way, and lets none begin", async () => {
    const { tenantId, proof } = await proveScope(database, 'alice');
    const [service, late] = [
      new Client(database.url('plat_platform')),
      new Client(database.url('plat_platform')),
    ];
    await Promise.all([service.connect(), late.connect()]);
    await service.query('BEGIN');
    await service.query('SELECT tenancy.enter_as($1, false)', [proof]);
    const ended = end();
    const isClosed = async () =>
      (await database.query(`SELECT FROM identity.closed_tenants WHERE reason = 'ending'`)).length === 1;
    while (!(await isClosed())) await new Promise((resolve) => setImmediate(resolve));
    await service.query(`SELECT identity.create_role($1, gen_random_uuid(), 'written late', '[]')`, [
      tenantId,
    ]);
    await expect(late.query('SELECT tenancy.enter_as($1, false)', [proof])).rejects.toThrow(
      'TENANT_DISABLED',
    );
    expect((await rowsOf('acme'))['reviews.reviews']).toBe(1);
    await service.query('COMMIT');
    await Promise.all([service.end(), late.end()]);
    await ended;
    expect(new Set(Object.values(await rowsOf('acme')))).toEqual(new Set([0]));
  });

  it('leaves the name to a new tenant, which inherits nothing', async () => {
    await end();
    const directory = testDirectory(ISSUER);
    directory.tenants.find(({ name }) => name === 'acme')!.id = undefined;
    directory.environments = [];
    for (const user of directory.users) if (user.tenant === 'acme') user.id = undefined;
    await applyDirectory(database.ownerUrl, directory);
    const [row] = await database.query<{ tenant_id: string; user_id: string }>(
      'SELECT tenant_id, user_id FROM identity.resolve_caller($1, $2, $3)',
      [ISSUER, 'subject-of-alice', TEST_TENANTS.acme.organization],
    );
    expect(row!.tenant_id).not.toBe(TEST_TENANTS.acme.tenantId);
    expect(row!.user_id).not.toBe(TEST_USERS.alice.userId);
    expect(new Set(Object.values(await rowsOf('acme')))).toEqual(new Set([0]));
  });

  it('lets no row of a tenant go that is not ending', async () => {
    for (const table of [
      'reviews.reviews',
      'reviews.queues',
      'reviews.queue_moves',
      'reviews.verifications',
    ]) {
      await expect(database.query(`DELETE FROM ${table}`)).rejects.toThrow();
    }
  });
});

/** Gives acme something that must be ended before the tenant can be deleted. */
async function liveWork(database: TestDatabase, what: string): Promise<void> {
  const { tenantId } = TEST_TENANTS.acme;
  if (what === 'a MERGE slot') {
    const client = new Client(database.ownerUrl);
    await client.connect();
    await client.query(`SET session_replication_role = replica`);
    await client.query(`UPDATE reviews.reviews SET status = 'MERGE' WHERE tenant_id = $1`, [tenantId]);
    await client.end();
    return;
  }
  const environmentId = randomUUID();
  await database.query(
    `INSERT INTO environments.environments (tenant_id, environment_id, name, type, status) VALUES ($1, $2, 'dev', 'runtime', $3)`,
    [tenantId, environmentId, what === 'an environment' ? 'registered' : 'deleting'],
  );
  if (what === 'an environment') return;
  await database.query(
    `INSERT INTO environments.deletions (tenant_id, environment_id, requested_by, namespace) VALUES ($1, $2, $3, 'acme-dev')`,
    [tenantId, environmentId, TEST_USERS.alice.userId],
  );
}
