import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { Client } from 'pg';

const TENANT = '00000000-0000-7000-8000-0000000000a0';
const USER = '00000000-0000-7000-8000-000000000001';

describe('the indexes of the trail', () => {
  let database: TestDatabase;
  let client: Client;
  let plans: string[];
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(
      `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
         external_issuer_id, type, api_method, api_path, created_at)
       SELECT ('00000000-0000-7000-8000-0000000000a' || n % 3)::uuid, gen_random_uuid(), 'r',
              ('00000000-0000-7000-8000-' || lpad((n % 20)::text, 12, '0'))::uuid, 's', 'i', 'API',
              (ARRAY['GET', 'POST'])[1 + n % 2], '/v1/route-' || n % 50, now() + n * interval '1 millisecond'
         FROM generate_series(1, 30000) n`,
    );
    await database.query('ANALYZE audit.audit_events');
    client = new Client(database.ownerUrl);
    client.on('notice', ({ message }) => plans.push(message ?? ''));
    await client.connect();
    // The plan of the statement inside the function, as the service's login runs it.
    await client.query(`LOAD 'auto_explain'`);
    await client.query(`SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
                        SET client_min_messages = log; SET ROLE plat_audit`);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function planOf(...filters: (string | null)[]): Promise<string> {
    plans = [];
    await client.query(
      `SELECT f.* FROM tenancy.enter($1, NULL, false) AS tenant
         CROSS JOIN LATERAL audit.list_events(tenant, $2, $3, $4, $5, $6, $7, $8, $9, 51) AS f`,
      [TENANT, ...filters, ...Array<null>(8 - filters.length).fill(null)],
    );
    return plans.find((plan) => /Limit/.test(plan)) ?? '';
  }

  /** Spec: API, Audit events, rule 3. */
  it.each<[string, string, (string | null)[]]>([
    ['none uses tenant/time', '_pkey', []],
    ['since and until use tenant/time', '_pkey', ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z']],
    ['erunUserId uses tenant/user/time', '_erun_user_id_', [null, null, USER]],
    [
      'apiMethod with apiPath uses tenant/api/time',
      '_api_method_',
      [null, null, null, null, 'GET', '/v1/route-8'],
    ],
    [
      'the next page uses tenant/time',
      '_pkey',
      [null, null, null, null, null, null, '2100-01-01T00:00:00Z', USER],
    ],
  ])('%s', async (_, index, filters) => {
    const plan = await planOf(...filters);
    expect(plan).toMatch(
      new RegExp(`Index (Only )?Scan Backward using audit_events_\\d{4}_\\d\\d\\w*${index}`),
    );
    expect(plan).not.toMatch(/Seq Scan|->  Sort/);
  });
});
