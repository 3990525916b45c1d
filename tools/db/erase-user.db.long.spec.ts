import { applyDirectory, SOURCE_SCHEMA } from '@plat/database';
import {
  createTestDatabase,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { runEraseUser } from './erase-user';

const ACME = TEST_TENANTS.acme.tenantId;
const { alice, bob } = TEST_USERS;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('https://id.example'));
  for (const { userId } of [alice, alice, bob]) await act(userId);
});
afterEach(() => database.drop());

const act = (userId: string): Promise<unknown> =>
  database.query(
    `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id,
       type, api_method, api_path, api_parameters, caller_request_id, created_at)
     VALUES ($1, gen_random_uuid(), gen_random_uuid(), $2::uuid, 'subject of ' || $2::text, 'https://id.example', 'API', 'POST',
             '/v1/reviews', '{"body":{"name":"of a person"}}', 'own-id', clock_timestamp())`,
    [ACME, userId],
  );

/** Seals, as the audit service does each second. The first time it takes every row that is there. */
const seal = (): Promise<unknown> =>
  database.query(`SELECT ledger.seal_due('plat.example', ARRAY[sha256('key')], 1, 0, 1000)`);

async function run(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const job = { ownerUrl: database.ownerUrl, schema: SOURCE_SCHEMA, environment: {} };
  await runEraseUser({ ...job, print: (line) => void lines.push(line) }, args);
  return lines.join('\n');
}

describe('npm run db -- erase-user', () => {
  it('may be run again, and erases rows that were not sealed yet', async () => {
    expect(await run('acme', 'alice')).toContain('erased 2 rows of the trail, of which 0 are sealed');
    await seal();
    await act(alice.userId);
    expect(await run('acme', 'alice')).toContain('erased 1 rows of the trail, of which 0 are sealed');
    expect(await run('acme', 'alice')).toContain('erased 0 rows of the trail, of which 0 are sealed');
  });

  it('refuses during a move, and where the tenant has moved', async () => {
    const close = (reason: string) =>
      database.query(
        `INSERT INTO identity.closed_tenants (tenant_id, reason, api_url) VALUES ($1, $2, $3)
         ON CONFLICT (tenant_id) DO UPDATE SET reason = $2, api_url = $3`,
        [ACME, reason, reason === 'moved' ? 'https://two.example' : null],
      );
    await close('switching');
    await expect(run('acme', 'alice')).rejects.toThrow('acme is being moved between cells');
    await close('moved');
    await expect(run('acme', 'alice')).rejects.toThrow('acme has moved to https://two.example');
  });
});
