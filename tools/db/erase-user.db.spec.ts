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

const trail = () =>
  database.query(
    `SELECT erun_user_id, external_user_id, api_parameters, caller_request_id FROM audit.audit_events ORDER BY created_at`,
  );

async function run(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const job = { ownerUrl: database.ownerUrl, schema: SOURCE_SCHEMA, environment: {} };
  await runEraseUser({ ...job, print: (line) => void lines.push(line) }, args);
  return lines.join('\n');
}

describe('npm run db -- erase-user', () => {
  it('with --dry-run counts, says what goes and what stays, and changes nothing', async () => {
    await seal();
    const before = await trail();
    const text = await run('acme', 'alice', '--dry-run');
    expect(text).toContain(
      `would erase 2 rows of the trail, of which 2 are sealed: alice (${alice.userId}) of acme`,
    );
    expect(text).toContain("goes: the user's subject, the arguments and the caller's own request ids");
    expect(text).toContain(
      "stays: the rows, with the user's id, time and route; the entries, and every proof",
    );
    expect(text).toContain('Nothing was changed.');
    expect(await trail()).toEqual(before);
    expect(await database.query('SELECT FROM ledger.erasures')).toEqual([]);
  });

  it.each([['alice'], [alice.userId], [alice.userId.toUpperCase()]])(
    'erases the rows and salts of %s and of no one else, and keeps root and entries',
    async (named) => {
      await seal();
      const logs = await database.query('SELECT size, root FROM ledger.logs');
      expect(await run('acme', named)).toContain('erased 2 rows of the trail, of which 2 are sealed: alice');
      const erased = { erun_user_id: alice.userId, external_user_id: 'erased', api_parameters: null };
      const kept = { erun_user_id: bob.userId, external_user_id: `subject of ${bob.userId}` };
      const own = { caller_request_id: null };
      expect(await trail()).toMatchObject([{ ...erased, ...own }, { ...erased, ...own }, kept]);
      expect(await database.query('SELECT size, root FROM ledger.logs')).toEqual(logs);
      expect(await database.query('SELECT * FROM ledger.altered_entries()')).toEqual([]);
      expect(await database.query('SELECT reason, entries::text FROM ledger.erasures')).toEqual([
        { reason: 'person', entries: expect.stringMatching(/^\{\[\d,\d\)/) },
      ]);
    },
  );

  it.each([
    ['no user', ['acme'], 'erase-user TENANT USER'],
    ['two users', ['acme', 'alice', 'bob'], 'erase-user TENANT USER'],
    ['an unknown option', ['acme', 'alice', '--force'], 'erase-user TENANT USER'],
    ['a tenant that is none', ['acne', 'alice'], 'There is no tenant "acne". Is "acme" meant?'],
    ['a user that is none', ['acme', 'alcie'], 'acme has no user "alcie". Is "alice" meant?'],
    ['a user of another tenant', ['acme', 'mallory'], 'acme has no user "mallory".'],
  ])('refuses, and changes nothing: %s', async (_, args, message) => {
    const before = await trail();
    await expect(run(...args)).rejects.toThrow(message);
    expect(await trail()).toEqual(before);
  });
});
