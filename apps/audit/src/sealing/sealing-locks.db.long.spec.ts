import { Client } from 'pg';
import { applyDirectory, LOGIN_ROLES } from '@plat/database';
import {
  createTestDatabase,
  INSERT_TRAIL,
  SealingScene,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';

const { tenantId: ACME } = TEST_TENANTS.acme;
const { tenantId: GLOBEX } = TEST_TENANTS.globex;
const SEAL = `SELECT sealed FROM ledger.seal_due('plat.example', ARRAY[sha256('key')], 256, 0, 1000)`;

let database: TestDatabase;
let scene: SealingScene;
const clients: Client[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  scene = new SealingScene(database);
  await applyDirectory(database.ownerUrl, testDirectory('https://issuer.example'));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await database.drop();
});

/** A session in a transaction that stays open. */
async function openTransaction(url = database.ownerUrl): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'open' });
  clients.push(client);
  await client.connect();
  await client.query('BEGIN');
  return client;
}

/** Waits until the statement of an open transaction waits for a lock. */
async function awaitWaiting(): Promise<void> {
  for (let rows: unknown[] = []; rows.length === 0;) {
    rows = await database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'open' AND wait_event_type = 'Lock'`,
    );
  }
}

const sizeOf = async (tenant: string): Promise<number> => (await scene.entriesOf(tenant)).length;
/** Where the row of a log is stored: another place after each UPDATE. */
const places = () => database.query('SELECT tenant_id, ctid FROM ledger.logs ORDER BY 1');

it.each(Object.values(LOGIN_ROLES))(
  'whoever has the login %s does not hold back a log by any lock of its own',
  async (login) => {
    await scene.write(1);
    const taken = await openTransaction(database.url(login));
    // The lock of a log was this advisory lock at first.
    await taken.query(`SELECT pg_advisory_xact_lock(hashtextextended('ledger/' || $1, 0))`, [ACME]);
    await expect(taken.query('SELECT FROM ledger.logs FOR UPDATE')).rejects.toMatchObject({ code: '42501' });
    await taken.query('ROLLBACK; BEGIN');
    await taken.query(`SELECT pg_advisory_xact_lock(hashtextextended('ledger/' || $1, 0))`, [ACME]);
    await scene.seal();
    expect(await sizeOf(ACME)).toBe(2);
  },
);

it('a log that another transaction has is passed over, and not waited for', async () => {
  await scene.write(1);
  await scene.write(1, GLOBEX);
  await scene.seal();
  await scene.write(1);
  await scene.write(1, GLOBEX);
  const other = await openTransaction();
  await other.query('SELECT FROM ledger.logs WHERE tenant_id = $1 FOR UPDATE', [ACME]);
  expect(await scene.seal()).toEqual({ sealed: 1, more: false });
  expect(await sizeOf(GLOBEX)).toBe(3);
  await other.query('ROLLBACK');
  await scene.seal();
  expect(await sizeOf(ACME)).toBe(3);
});

it('two that begin the same logs in another order wait for each other for a moment only, and one of them begins each', async () => {
  await scene.write(1);
  await scene.write(1, GLOBEX);
  // Each has begun one log, and comes to the other's.
  const [one, two] = [await openTransaction(), await openTransaction()];
  const add = (client: Client, tenant: string) =>
    client.query('SELECT ledger.add_log($1, $2)', [tenant, 'plat.example']);
  await Promise.all([add(one, ACME), add(two, GLOBEX)]);
  await Promise.all([one.query(SEAL), two.query(SEAL)]);
  await Promise.all([one.query('COMMIT'), two.query('COMMIT')]);
  await scene.settle();
  await scene.seal();
  expect([await sizeOf(ACME), await sizeOf(GLOBEX)]).toEqual([2, 2]);
});

it('while an old transaction holds sealing back, landings are sealed, and no row of a log is written for nothing', async () => {
  await scene.write(1);
  await scene.seal();
  const old = await openTransaction();
  await old.query('SELECT pg_current_xact_id()');
  await database.query(INSERT_TRAIL, [ACME, TEST_USERS.alice.userId, 300]);
  await scene.land(1);
  expect(await scene.seal()).toEqual({ sealed: 1, more: false });
  const was = await places();
  expect(await scene.seal()).toEqual({ sealed: 0, more: false });
  expect(await places()).toEqual(was);
  await old.query('COMMIT');
  await scene.settle();
  await scene.seal();
  expect(await sizeOf(ACME)).toBe(303);
});

it('checkpoints are stored together, but for a log that has grown, that another transaction has, or of another text', async () => {
  const tenants = [ACME, GLOBEX, TEST_TENANTS.ops.tenantId];
  for (const tenant of tenants) await scene.write(1, tenant);
  await scene.seal();
  const signed = await database.query<{ tenant_id: string; size: string; root: Buffer; text: string }>(
    `SELECT tenant_id, size, root, ledger.checkpoint_text(origin, size, root) AS text FROM ledger.logs
      ORDER BY array_position($1, tenant_id)`,
    [tenants],
  );
  await scene.write(1, GLOBEX);
  await scene.seal();
  const other = await openTransaction();
  await other.query('SELECT FROM ledger.logs WHERE tenant_id = $1 FOR UPDATE', [tenants[2]]);
  const store = (texts: string[]) =>
    database.query(
      `SELECT ledger.store_notes($1::uuid[], $2::bigint[], $3::bytea[], $4::text[], ARRAY[sha256('key')]) AS notes`,
      [tenants, signed.map(({ size }) => size), signed.map(({ root }) => root), texts],
    );
  const texts = signed.map(({ text }) => text);
  expect(await store(['a', ...texts.slice(1)])).toEqual([{ notes: 0 }]);
  expect(await store(texts)).toEqual([{ notes: 1 }]);
  expect(await database.query('SELECT tenant_id, note FROM ledger.logs WHERE note IS NOT NULL')).toEqual([
    { tenant_id: ACME, note: texts[0] },
  ]);
});

describe('erasing a person', () => {
  const erase = (client: Client) =>
    client.query('SELECT ledger.erase_user($1, $2)', [ACME, TEST_USERS.alice.userId]);

  it.each([
    ['that seals more of a log', true],
    ['that begins a log', false],
  ])('waits for a transaction %s, and erases what that has sealed', async (_, sealedBefore) => {
    await scene.write(2);
    if (sealedBefore) {
      await scene.seal();
      await scene.write(1);
    }
    const [sealing, erasing] = [await openTransaction(), await openTransaction()];
    await sealing.query(SEAL);
    const erased = erase(erasing);
    await awaitWaiting();
    await sealing.query('COMMIT');
    await erased;
    await erasing.query('COMMIT');
    await scene.seal();
    expect(await database.query('SELECT * FROM ledger.altered_entries()')).toEqual([]);
    const audit = (await scene.entriesOf(ACME)).filter(({ kind }) => kind === 'audit');
    expect(audit.map(({ fields }) => fields)).toEqual(audit.map(() => null));
  });

  it('is not overtaken by a transaction that begins the log meanwhile', async () => {
    await scene.write(2);
    const [sealing, erasing] = [await openTransaction(), await openTransaction()];
    await erase(erasing);
    await sealing.query(SEAL);
    await sealing.query('COMMIT');
    await erasing.query('COMMIT');
    await scene.seal();
    expect(await database.query('SELECT * FROM ledger.altered_entries()')).toEqual([]);
    expect(await sizeOf(ACME)).toBe(3);
  });
});
