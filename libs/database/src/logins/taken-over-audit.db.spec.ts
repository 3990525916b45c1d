import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import {
  createTestDatabase,
  proveScope,
  SealingScene,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { LOGIN_ROLES } from './logins';

const ACME = TEST_TENANTS.acme.tenantId;
const GLOBEX = TEST_TENANTS.globex.tenantId;
const REFUSED = { code: '42501' };
const SEAL = `SELECT ledger.seal_due('plat.example', ARRAY[sha256('key')], 1, 0, 1000)`;
const READERS = ['plat_audit', 'plat_reviews'];
const SERVICES_WITHOUT_LOGS = Object.values(LOGIN_ROLES).filter((login) => !READERS.includes(login));

let database: TestDatabase;
let proof: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('https://issuer.example'));
  await addRows();
  ({ proof } = await proveScope(database, 'alice'));
});
afterAll(() => database.drop());

/** Adds a row to the trail of each of two tenants. */
async function addRows(): Promise<void> {
  for (const [tenant, user] of [
    [ACME, TEST_USERS.alice.userId],
    [GLOBEX, TEST_USERS.mallory.userId],
  ]) {
    await database.query(
      `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
         external_issuer_id, type, api_method, api_path, api_parameters, created_at)
       VALUES ($1, $2, 'hidden request', $3, 's', 'i', 'API', 'POST', '/v1/reviews', '{"body":"hidden argument"}',
               clock_timestamp())`,
      [tenant, randomUUID(), user],
    );
  }
}

/** A session with a login's password that has entered the tenant of a caller that it can prove. */
async function as<T>(login: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: database.url(login), options: `-c plat.proof=${proof}` });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Waits until the rows may be sealed: other tests of the cluster may have open transactions. */
const settle = (): Promise<void> => new SealingScene(database).settle();

async function seal(): Promise<void> {
  await settle();
  await as('plat_audit', (client) => client.query(SEAL));
}

describe('whoever has the login plat_audit', () => {
  beforeAll(async () => {
    await seal();
    // The log then counts as signed. No reader sees an unsigned log.
    await database.query(`UPDATE ledger.logs SET note = 'a checkpoint', note_size = size, note_keys = keys`);
  });

  it.each([
    'INSERT INTO ledger.entries SELECT * FROM ledger.entries',
    `UPDATE ledger.entries SET open = sha256('')`,
    'UPDATE ledger.entries SET open_salt = NULL',
    'DELETE FROM ledger.entries',
    'INSERT INTO ledger.tiles SELECT * FROM ledger.tiles',
    `UPDATE ledger.tiles SET hashes = ''`,
    `UPDATE ledger.logs SET root = sha256('')`,
    'SELECT closed_salt FROM ledger.entries',
    'SELECT api_parameters FROM audit.audit_events',
    `SELECT ledger.add_hashes('${ACME}', 0, sha256(''))`,
    `SELECT ledger.seal_log('${ACME}', 'plat.example', '{}', 1)`,
    `SELECT ledger.seal_keys(NULL, '{}', 0)`,
    `SELECT ledger.seal_landings(NULL, '1', 0, 1)`,
    `SELECT ledger.add_log('${ACME}', 'plat.example')`,
    `SELECT ledger.lock_log('${ACME}')`,
    'SELECT FROM ledger.logs FOR UPDATE',
    `SELECT ledger.erase_user('${ACME}', '${TEST_USERS.alice.userId}')`,
    `SELECT ledger.note_pruned('${ACME}', '{}', '{}')`,
    `SELECT ledger.examine_pruned('${ACME}', '{}', '{}')`,
    `SELECT audit.mark_pruned('audit_events_early', NULL, NULL, NULL, 1)`,
    `SELECT audit.attach_partition('audit_events_early')`,
    `SELECT audit.open_partition('audit_events_early')`,
    'SELECT ledger.altered_entries()',
    'SELECT ledger.late_rows(0)',
    `SELECT reviews.merge_statements('${ACME}')`,
    'SET ROLE plat_ledger_sealer',
    'SET ROLE plat_ledger_owner',
  ])('writes no entry, tile or root and erases nothing, and reads nothing hidden: %s', async (statement) => {
    await as('plat_audit', (client) => expect(client.query(statement)).rejects.toMatchObject(REFUSED));
  });

  it('seals what the rows say, whatever zone and styles it gives its session', async () => {
    await addRows();
    await settle();
    await as('plat_audit', async (client) => {
      // PostgreSQL 18 takes the abbreviation of the session's own zone first, also where a function says UTC.
      await client.query(`SET timezone TO '<UTC>+160'; SET datestyle TO German; SET bytea_output TO escape;
        SET extra_float_digits TO -15; SET intervalstyle TO sql_standard`);
      await client.query(SEAL);
    });
    const sealed = await database.query(
      'SELECT FROM ledger.entries x JOIN audit.audit_events e ON e.audit_event_id = x.id',
    );
    expect(sealed).toHaveLength(4);
    expect(await database.query(`SELECT * FROM ledger.altered_logs() WHERE fault LIKE '%tile%'`)).toEqual([]);
    expect(await database.query('SELECT * FROM ledger.altered_entries()')).toEqual([]);
  });

  it('learns no hidden field, and no salt of one, by what it may call', async () => {
    const [hidden] = await database.query<{ salts: string[] }>(
      `SELECT array_agg(encode(closed_salt, 'hex')) AS salts FROM ledger.entries`,
    );
    expect(hidden!.salts.length).toBeGreaterThan(3);
    const answers = await as('plat_audit', async (client) => {
      const asked = [
        `SELECT * FROM ledger.page_entries('${ACME}', 0, NULL, 100)`,
        `SELECT * FROM ledger.prove_entry('${ACME}', 0, NULL, NULL, NULL)`,
        `SELECT * FROM ledger.get_log('${ACME}')`,
        `SELECT * FROM ledger.get_tile('${ACME}', 0, 0)`,
        'SELECT * FROM ledger.figures()',
        `SELECT * FROM ledger.unsigned(ARRAY[sha256('key')])`,
      ];
      const rows: unknown[] = [];
      for (const text of asked) rows.push(...(await client.query<Record<string, unknown>>(text)).rows);
      return JSON.stringify(rows, (_, value: unknown) => asHex(value));
    });
    expect(answers).toContain('/v1/reviews');
    expect(answers).not.toContain('hidden');
    expect(hidden!.salts.filter((salt) => answers.includes(salt))).toEqual([]);
  });

  it('reads entries, tiles and proofs of no tenant but the one that it has entered', async () => {
    await as('plat_audit', async (client) => {
      for (const text of [
        `SELECT * FROM ledger.page_entries('${GLOBEX}', 0, NULL, 100)`,
        `SELECT * FROM ledger.prove_entry('${GLOBEX}', 0, NULL, NULL, NULL)`,
        `SELECT * FROM ledger.get_log('${GLOBEX}')`,
        `SELECT * FROM ledger.get_tile('${GLOBEX}', 0, 0)`,
        `SELECT * FROM ledger.tiles_on_path('${GLOBEX}', 0, 1)`,
      ]) {
        expect((await client.query(text)).rows).toEqual([]);
      }
    });
  });

  it('can store a checkpoint that says the size and root that are stored, and no other', async () => {
    const store = (
      size: number,
      root: string,
      said = `plat.example/log/${ACME}\n${size}\n${base64(root)}\n\n`,
    ) =>
      as('plat_audit', async (client) => {
        const { rows } = await client.query<{ stored: number }>(
          `SELECT ledger.store_notes(ARRAY[$1::uuid], ARRAY[$2::bigint], ARRAY[$3::bytea], ARRAY[$4],
             ARRAY[sha256('key')]) AS stored`,
          [ACME, size, Buffer.from(root, 'hex'), said],
        );
        return rows[0]!.stored;
      });
    const [log] = await database.query<{ size: number; root: string }>(
      `SELECT size::int, encode(root, 'hex') AS root FROM ledger.logs WHERE tenant_id = $1`,
      [ACME],
    );
    expect(await store(log!.size, '00'.repeat(32))).toBe(0);
    expect(await store(log!.size + 1, log!.root)).toBe(0);
    expect(await store(log!.size, log!.root, 'another text')).toBe(0);
    expect(await store(log!.size, log!.root)).toBe(1);
  });
});

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

it.each(SERVICES_WITHOUT_LOGS)(
  'whoever has the login %s can call nothing of the sealed logs',
  async (login) => {
    await as(login, (client) => expect(client.query(SEAL)).rejects.toMatchObject(REFUSED));
  },
);

/** Bytes as node serialises them, as hex, which a salt can be looked for in. */
function asHex(value: unknown): unknown {
  const { type, data } = (value ?? {}) as { type?: string; data?: number[] };
  return type === 'Buffer' ? Buffer.from(data!).toString('hex') : value;
}
