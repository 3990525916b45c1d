import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { refusalOf } from '../connections/refusal';

const TENANT = '00000000-0000-7000-8000-0000000000a0';

/** A UUIDv7 of a moment. */
const idOf = (moment: string): string => {
  const hex = Date.parse(moment).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
};

describe('a table that is partitioned by month', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
    await test.query(
      `INSERT INTO identity.tenants (tenant_id, name, kind) VALUES ($1, 'company', 'company')`,
      [TENANT],
    );
  });
  afterAll(() => test.drop());

  const addEvent = (moment: string) =>
    test.query(
      `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
         external_issuer_id, type, api_method, api_path, created_at)
       VALUES ($1, gen_random_uuid(), 'r', $1, 's', 'i', 'API', 'GET', '/v1/whoami', $2)
       RETURNING tableoid::regclass::text AS place`,
      [TENANT, moment],
    );
  const addBuild = (moment: string) =>
    test.query(
      `INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id, version)
       VALUES ($1, $2, $1, 'e', 'RECORDED', true, repeat('a', 40), '1.0.0')
       RETURNING tableoid::regclass::text AS place`,
      [TENANT, idOf(moment)],
    );

  it('keeps rows older than the installation in a partition of their own', async () => {
    const moment = '2019-05-05T00:00:00Z';
    expect(await addEvent(moment)).toEqual([{ place: 'audit.audit_events_early' }]);
    expect(await addBuild(moment)).toEqual([{ place: 'builds.builds_early' }]);
  });

  it.each([
    ['audit.audit_events', addEvent],
    ['builds.builds', addBuild],
  ])('%s refuses a row of a month without a partition as SERVICE_UNAVAILABLE', async (_table, add) => {
    const refused = await add('2050-01-01T00:00:00Z').catch((error: unknown) => error);
    expect(refusalOf(refused)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('has no default partition, so a month can be detached CONCURRENTLY', async () => {
    expect(await test.query('SELECT FROM pg_partitioned_table WHERE partdefid <> 0')).toEqual([]);
    const [{ month } = { month: '' }] = await test.query<{ month: string }>(
      `SELECT max(inhrelid::regclass::text) AS month FROM pg_inherits
        WHERE inhparent = 'audit.audit_events'::regclass AND inhrelid::regclass::text ~ '\\d$'`,
    );
    await test.query(`ALTER TABLE audit.audit_events DETACH PARTITION ${month} CONCURRENTLY`);
    expect(await test.query(`SELECT to_regclass($1) IS NOT NULL AS there`, [month])).toEqual([
      { there: true },
    ]);
  });
});
