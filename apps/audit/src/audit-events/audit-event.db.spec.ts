import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@plat/testing';

const TENANT = '00000000-0000-7000-8000-0000000000a0';
/** The id of the operations tenant. */
const OPERATIONS = '00000000-0000-7000-8000-0000000000c0';
const USER = '00000000-0000-7000-8000-000000000001';
/** `npm run nightly -- plans` asks for a million. */
const ROWS = Number(process.env.AUDIT_ROWS ?? 100_000);

describe('the indexes of the trail', () => {
  let database: TestDatabase;
  let client: Client;
  let plans: string[];
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(
      `INSERT INTO identity.tenants (tenant_id, name, kind)
       VALUES ($1, 'company', 'company'), ($2, 'operations', 'operations')`,
      [TENANT, OPERATIONS],
    );
    await database.query(
      `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
         external_issuer_id, type, api_method, api_path, mcp_tool, created_at)
       SELECT ('00000000-0000-7000-8000-0000000000a' || n % 3)::uuid, gen_random_uuid(), 'r',
              ('00000000-0000-7000-8000-' || lpad((n % 20)::text, 12, '0'))::uuid, 's', 'i',
              CASE WHEN n % 99 = 0 THEN 'MCP' ELSE 'API' END, CASE WHEN n % 99 > 0 THEN CASE WHEN n % 60 = 1 THEN 'DELETE' ELSE (ARRAY['GET', 'POST'])[1 + n % 2] END END,
              CASE WHEN n % 99 > 0 THEN '/v1/route-' || n % 50 END, CASE WHEN n % 99 = 0 THEN 'review_show' END, now() + n * interval '1 millisecond'
         FROM generate_series(1, $1::int) n`,
      [ROWS],
    );
    await database.query('ANALYZE audit.audit_events');
    client = new Client(database.ownerUrl);
    client.on('notice', ({ message }) => plans.push(message ?? ''));
    await client.connect();
    // auto_explain reports the plan of the statement inside the function, which runs under the service's login.
    await client.query(`LOAD 'auto_explain'`);
    await client.query(`SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
                        SET client_min_messages = log; SET ROLE plat_audit`);
  }, 600_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** The plan of a page of the tenant, or of all tenants, which callers of the operations tenant read. */
  async function planOf(across: boolean, ...filters: (string | null)[]): Promise<string> {
    const [row] = await database.query<{ proof: string }>(
      'SELECT identity.issue_proof($1, $2, identity.caller_digest(NULL, NULL, NULL)) AS proof',
      [across ? OPERATIONS : TENANT, USER],
    );
    plans = [];
    await client.query('BEGIN');
    await client.query(
      `SELECT f.* FROM tenancy.enter_as($1, $2) AS tenant
         CROSS JOIN LATERAL audit.list_events(tenant, $3, $4, $5, $6, $7, $8, $9, $10, 51) AS f`,
      [row!.proof, across, ...filters, ...Array<null>(8 - filters.length).fill(null)],
    );
    await client.query('ROLLBACK');
    return plans.find((plan) => /Limit/.test(plan) && /audit_events/.test(plan)) ?? '';
  }

  /** Spec: API, Audit events, rule 3. */
  const promised: [string, string, (string | null)[]][] = [
    ['no filter uses tenant/time', '_pkey', []],
    ['since and until use tenant/time', '_pkey', ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z']],
    ['erunUserId uses tenant/user/time', '_erun_user_id_', [null, null, USER]],
    [
      'apiMethod with apiPath uses tenant/api/time',
      '_api_method_',
      [null, null, null, null, 'GET', '/v1/route-8'],
    ],
    [
      'apiPath alone uses tenant/path/time',
      '(_api_path_|_audit_events_path)',
      [null, null, null, null, null, '/v1/route-8'],
    ],
    [
      'apiMethod alone, if rare, uses tenant/method/time',
      '(_api_method_created|_audit_events_method)',
      [null, null, null, null, 'DELETE'],
    ],
    ['type MCP, which is rare, uses tenant/type/time', '_type_', [null, null, null, 'MCP']],
    [
      'the next page uses tenant/time',
      '_pkey',
      [null, null, null, null, null, null, '2100-01-01T00:00:00Z', USER],
    ],
  ];
  const indexed = (index: string) =>
    new RegExp(`Index (Only )?Scan Backward using audit_events_\\d{4}_\\d\\d\\w*${index}`);

  it.each(promised)('%s', async (_, index, filters) => {
    const plan = await planOf(false, ...filters);
    expect(plan).toMatch(indexed(index));
    expect(plan).not.toMatch(/Seq Scan|->  Sort/);
  });

  it.each(promised)(
    'across tenants, from the newest events of each tenant: %s',
    async (_, index, filters) => {
      const plan = await planOf(true, ...filters);
      expect(plan).toMatch(indexed(index));
      // Sorts only the pages of the tenants, never a whole partition.
      expect(plan).not.toMatch(/Seq Scan on audit_events_\d/);
      expect(plan.match(/->  Sort/g)).toHaveLength(1);
    },
  );
});
