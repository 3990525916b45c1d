import { generateKeyPairSync } from 'node:crypto';
import { Client } from 'pg';
import { applyDirectory, Database, LOGIN_ROLES } from '@plat/database';
import { openCheckpoint, verifierKeyOf } from '@plat/ledger';
import { createLog } from '@plat/service';
import {
  createTestDatabase,
  INSERT_TRAIL,
  SealingScene,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { LedgerKeys } from './ledger-keys';
import { Sealer } from './sealer';
import { sealDue } from './sealing.queries';

const HOST = 'plat.example';
const { tenantId: ACME } = TEST_TENANTS.acme;
const { tenantId: GLOBEX } = TEST_TENANTS.globex;
const newKey = () => generateKeyPairSync('ed25519').privateKey;

let database: TestDatabase;
let login: Database;
let scene: SealingScene;
beforeEach(async () => {
  database = await createTestDatabase();
  scene = new SealingScene(database, HOST);
  await applyDirectory(database.ownerUrl, testDirectory('https://issuer.example'));
  login = await Database.connect({
    url: database.url(LOGIN_ROLES.audit),
    applicationName: 'sealing',
    poolSizeMax: 4,
    preparedStatements: false,
  });
});
afterEach(async () => {
  await login.close();
  await database.drop();
});

const sealerWith = (...keys: ReturnType<typeof newKey>[]) =>
  new Sealer(
    { database: login, log: createLog('test', 'silent') },
    { keys: new LedgerKeys(keys), host: HOST, afterSeconds: 0 },
  );

const write = (rows: number, tenant?: string) => scene.write(rows, tenant);
const expectSound = (tenant: string) => scene.expectSound(tenant);

describe('sealing', () => {
  it('gives each row of the trail one entry whose tree, tiles and commitments libs/ledger computes alike', async () => {
    await write(1);
    const sealer = sealerWith(newKey());
    for (const rows of [1, 2, 253, 1, 255, 600]) {
      await write(rows);
      await sealer.seal(HOST);
      await expectSound(ACME);
    }
    const entries = await expectSound(ACME);
    expect(entries.map(({ kind }) => kind)).toEqual(['key', ...Array.from({ length: 1113 }, () => 'audit')]);
  });

  it('leaves a row of a transaction that may be overtaken until that one has ended, and then seals both', async () => {
    await write(1);
    const sealer = sealerWith(newKey());
    await sealer.seal(HOST);
    const slow = new Client(database.ownerUrl);
    await slow.connect();
    await slow.query('BEGIN');
    await slow.query(INSERT_TRAIL, [ACME, TEST_USERS.alice.userId, 1]);
    // Its transaction began later and ends first.
    await database.query(INSERT_TRAIL, [ACME, TEST_USERS.alice.userId, 3]);
    await sealer.seal(HOST);
    expect(await expectSound(ACME)).toHaveLength(2);
    await slow.query('COMMIT');
    await slow.end();
    await scene.settle();
    await sealer.seal(HOST);
    expect(await expectSound(ACME)).toHaveLength(6);
  });

  it('seals rows when 256 have come together, or one has the age, and not before', async () => {
    const { publicKeys } = new LedgerKeys([newKey()]);
    const seal = (afterSeconds: number) => sealDue(login, HOST, { publicKeys, afterRows: 256, afterSeconds });
    await write(1);
    await seal(30);
    await write(255);
    expect(await seal(30)).toEqual({ sealed: 0, more: false });
    await write(1);
    expect(await seal(30)).toEqual({ sealed: 256, more: false });
    await write(1);
    expect(await seal(0)).toEqual({ sealed: 1, more: false });
  });

  it('gives an id that a login has written twice one entry, and seals the other rows', async () => {
    await write(3);
    await database.query(
      `UPDATE audit.audit_events SET audit_event_id = '0190a0b0-c0d0-7000-8000-000000000001' WHERE request_id IN ('r1', 'r2')`,
    );
    await write(2, GLOBEX);
    const sealer = sealerWith(newKey());
    await sealer.seal(HOST);
    await write(1);
    await sealer.seal(HOST);
    expect(await expectSound(ACME)).toHaveLength(4);
    expect(await expectSound(GLOBEX)).toHaveLength(3);
  });

  it('gives a second key an entry and both signatures, and later the second key alone', async () => {
    const [first, second] = [newKey(), newKey()];
    await write(1);
    await sealerWith(first).seal(HOST);
    await sealerWith(first, second).seal(HOST);
    expect((await expectSound(ACME)).map(({ kind }) => kind)).toEqual(['key', 'audit', 'key']);
    const noteOf = async () =>
      (await database.query<{ note: string; origin: string }>('SELECT note, origin FROM ledger.logs'))[0]!;
    const { note, origin } = await noteOf();
    const keys = [first, second].map((key) => verifierKeyOf(origin, key));
    expect(openCheckpoint(note, keys).signedBy).toEqual(keys);
    await sealerWith(second).seal(HOST);
    expect(openCheckpoint((await noteOf()).note, keys).signedBy).toEqual([keys[1]]);
  });

  it('signs what was stored by a sealer that ended before it had signed', async () => {
    const key = newKey();
    const { publicKeys } = new LedgerKeys([key]);
    await write(3);
    await sealDue(login, HOST, { publicKeys, afterRows: 256, afterSeconds: 0 });
    expect(await database.query('SELECT FROM ledger.logs WHERE note IS NOT NULL')).toEqual([]);
    await sealerWith(key).seal(HOST);
    await expectSound(ACME);
  });

  it('does not touch the log of a tenant that moves', async () => {
    await write(1);
    await database.query(`INSERT INTO identity.closed_tenants (tenant_id, reason) VALUES ($1, 'switching')`, [
      ACME,
    ]);
    expect(await sealerWith(newKey()).seal(HOST)).toBe(0);
  });
});

describe('erasing a person', () => {
  it('removes the fields and salts of their entries, and adds an entry that names them', async () => {
    const sealer = sealerWith(newKey());
    await write(3);
    await sealer.seal(HOST);
    const [{ erased } = { erased: 0 }] = await database.query<{ erased: number }>(
      'SELECT ledger.erase_user($1, $2) AS erased',
      [ACME, TEST_USERS.alice.userId],
    );
    expect(erased).toBe(3);
    await sealer.seal(HOST);
    const entries = await expectSound(ACME);
    expect(entries.map(({ kind, fields }) => [kind, fields === null])).toEqual([
      ['key', false],
      ['audit', true],
      ['audit', true],
      ['audit', true],
      ['erasure', false],
    ]);
    expect(JSON.parse(entries[4]!.fields!)).toEqual({ entries: '1-3', reason: 'person' });
  });
});

describe('what operators ask', () => {
  const altered = () =>
    database.query<{ leaf_index: string; fault: string }>(
      'SELECT leaf_index::text, fault FROM ledger.altered_entries() ORDER BY leaf_index',
    );

  it.each([
    [
      'a shown field is changed',
      `UPDATE audit.audit_events SET api_path = '/v1/builds' WHERE request_id = 'r1'`,
    ],
    [
      'a hidden field is changed',
      `UPDATE audit.audit_events SET api_parameters = '{}' WHERE request_id = 'r5'`,
    ],
    ['a row is deleted', `DELETE FROM audit.audit_events WHERE request_id = 'r2'`],
  ])('finds that %s', async (_, sql) => {
    await write(6);
    await sealerWith(newKey()).seal(HOST);
    expect(await altered()).toEqual([]);
    await database.query(sql);
    expect(await altered()).toHaveLength(1);
  });

  it.each([
    [`UPDATE ledger.entries SET open = sha256('other') WHERE leaf_index = 3`],
    ['DELETE FROM ledger.entries WHERE leaf_index = 4'],
    ['UPDATE ledger.tiles SET hashes = substr(hashes, 33)'],
    ['UPDATE ledger.logs SET size = size - 1, note_size = size - 1'],
  ])('finds that a log no longer fits together after %s', async (sql) => {
    await write(6);
    await sealerWith(newKey()).seal(HOST);
    expect(await database.query('SELECT * FROM ledger.altered_logs()')).toEqual([]);
    await database.query(sql);
    expect(await database.query('SELECT * FROM ledger.altered_logs()')).not.toEqual([]);
  });
});
