import { randomBytes, randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate, SOURCE_MIGRATIONS } from './migrate';
import { readMigrationFiles } from './migration-files';
import { refusalOf } from './refusal';

const clusterUrl = process.env.PLAT_TEST_DATABASE_URL!;
const LAST_BEFORE = '0053_gate_run_ids';
const TENANT = '00000000-0000-7000-8000-0000000000a0';

/** A UUIDv7 of a moment. */
const idOf = (moment: string): string => {
  const hex = Date.parse(moment).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
};

describe('the migration that ends the default partitions', () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(clusterUrl), { pathname: `/${name}` }).toString();
  let client: Client;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-before-'));
    const { migrationsDir } = SOURCE_MIGRATIONS;
    for (const file of await readMigrationFiles(migrationsDir)) {
      if (file.name > LAST_BEFORE) continue;
      await copyFile(join(migrationsDir, `${file.name}.sql`), join(folder, `${file.name}.sql`));
    }
    await asSuperuser(`CREATE DATABASE ${name}`);
    await migrate(url, { migrationsDir: folder });
    client = new Client({ connectionString: url });
    await client.connect();
  }, 120_000);
  afterAll(async () => {
    await client.end();
    await asSuperuser(`DROP DATABASE ${name} WITH (FORCE)`);
    await rm(folder, { recursive: true });
  });

  async function asSuperuser(sql: string): Promise<void> {
    const admin = new Client({ connectionString: clusterUrl });
    await admin.connect();
    await admin.query(sql).finally(() => admin.end());
  }

  const rows = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;

  /** Rows before the first month, of a month that is missing, and beyond the months; releases refer to the builds. */
  async function seed(): Promise<void> {
    const moments = [
      '2019-05-05T00:00:00Z',
      '2030-01-31T23:59:59.999Z',
      '2030-02-01T00:00:00Z',
      '2031-07-01T12:00:00Z',
    ];
    await client.query(
      `INSERT INTO identity.tenants (tenant_id, name, kind) VALUES ($1, 'company', 'company')`,
      [TENANT],
    );
    for (const moment of [...moments, new Date().toISOString()]) {
      await client.query(
        `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
           external_issuer_id, type, api_method, api_path, created_at)
         VALUES ($1, gen_random_uuid(), 'r', $1, 's', 'i', 'API', 'GET', '/v1/whoami', $2)`,
        [TENANT, moment],
      );
      await client.query(
        `WITH build AS (
           INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id,
                                      version)
           VALUES ($1, $2, $1, 'e', 'RECORDED', true, repeat('a', 40), '1.0.0') RETURNING *)
         INSERT INTO releases.releases (tenant_id, release_id, target_branch, commit_id, status, attempt, started_at,
                                        finished_at, version, build_id)
         SELECT tenant_id, gen_random_uuid(), 'main', md5(build_id::text) || '00000000', 'released', 1, now(), now(), '1.0.0', build_id FROM build`,
        [TENANT, idOf(moment)],
      );
    }
  }
  const facts = () =>
    rows(`SELECT (SELECT array_agg(to_jsonb(e) - 'written_in' ORDER BY e.audit_event_id) FROM audit.audit_events e) AS events,
                 (SELECT array_agg(to_jsonb(b) - 'vouched' ORDER BY b.build_id) FROM builds.builds b) AS builds`);
  const references = () =>
    rows(`SELECT conrelid::regclass::text AS name, conname, pg_get_constraintdef(oid) AS definition, convalidated
            FROM pg_constraint WHERE confrelid = 'builds.builds'::regclass AND conparentid = 0
             AND conrelid <> 'reviews.queue_moves'::regclass -- a later migration's
           ORDER BY 1, 2`);

  it('moves their rows to the months, changes none, and leaves all references validated', async () => {
    await seed();
    const before = { facts: await facts(), references: await references() };
    await migrate(url);
    expect({ facts: await facts(), references: await references() }).toEqual(before);
    const defaults = await rows(`SELECT FROM pg_partitioned_table WHERE partdefid <> 0`);
    expect(defaults).toHaveLength(0);
    const places = await rows(
      `SELECT tableoid::regclass::text AS place, count(*)::int FROM audit.audit_events WHERE created_at NOT BETWEEN
         now() - interval '1 day' AND now() GROUP BY 1 ORDER BY 1`,
    );
    expect(places).toEqual([
      { place: 'audit.audit_events_2030_01', count: 1 },
      { place: 'audit.audit_events_2030_02', count: 1 },
      { place: 'audit.audit_events_2031_07', count: 1 },
      { place: 'audit.audit_events_early', count: 1 },
    ]);
    const open = await rows(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT (relrowsecurity AND relforcerowsecurity)
          AND relnamespace IN ('audit'::regnamespace, 'builds'::regnamespace) AND relname ~ '^(audit_events|builds)'`,
    );
    expect(open).toEqual([]);
  }, 120_000);

  it('leaves a month without a partition, whose rows are refused as SERVICE_UNAVAILABLE', async () => {
    const refused = await client
      .query(
        `INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id, version)
         VALUES ($1, $2, $1, 'e', 'RECORDED', true, repeat('a', 40), '1.0.0')`,
        [TENANT, idOf('2050-01-01T00:00:00Z')],
      )
      .catch((error: unknown) => error);
    expect(refusalOf(refused)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('lets a month be detached CONCURRENTLY', async () => {
    await client.query(
      'ALTER TABLE audit.audit_events DETACH PARTITION audit.audit_events_2031_07 CONCURRENTLY',
    );
    expect(await rows(`SELECT FROM audit.audit_events WHERE created_at > '2031-01-01'`)).toHaveLength(0);
  });
});
