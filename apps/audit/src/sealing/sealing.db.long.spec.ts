import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { applyDirectory, Database, LOGIN_ROLES } from '@plat/database';
import { createLog } from '@plat/service';
import {
  createTestDatabase,
  SealingScene,
  TEST_TENANTS,
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
  it('of two sealers at once one works on a log, and no row is sealed twice or left', async () => {
    await write(1, GLOBEX);
    const sealers = [newKey(), newKey()].map((key) => sealerWith(key));
    const writers = Array.from({ length: 50 }, async () => {
      for (let round = 0; round < 6; round++) await write(3, round % 2 === 0 ? ACME : GLOBEX);
    });
    let isWriting = true;
    const sealing = sealers.map(async (sealer) => {
      while (isWriting) await sealer.seal(HOST);
    });
    await Promise.all(writers);
    isWriting = false;
    await Promise.all(sealing);
    await sealers[0]!.seal(HOST);
    for (const [tenant, rows] of [
      [ACME, 450],
      [GLOBEX, 451],
    ] as const) {
      const entries = await expectSound(tenant);
      expect(entries.filter(({ kind }) => kind === 'audit')).toHaveLength(rows);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    }
  });

  it('after a restore elsewhere seals the rows that were not sealed, whatever their transactions were called', async () => {
    await write(5);
    const sealer = sealerWith(newKey());
    await sealer.seal(HOST);
    await write(7);
    // As another cluster would have it, whose transactions have far greater numbers.
    await database.query(`UPDATE audit.audit_events SET written_in = '900000000000'`);
    await database.query(`UPDATE ledger.logs SET cluster = 1, sealed_below = '800000000000'`);
    await sealer.seal(HOST);
    await write(2);
    await sealer.seal(HOST);
    expect(await expectSound(ACME)).toHaveLength(15);
  });

  it('goes past the rows that are sealed already, however few it may look at in one transaction', async () => {
    const { publicKeys } = new LedgerKeys([newKey()]);
    await write(40);
    await sealDue(login, HOST, { publicKeys, afterRows: 256, afterSeconds: 0 });
    await write(3);
    await database.query(`UPDATE ledger.logs SET cluster = 1`);
    // Seven at a time, by the owner: a service asks for more.
    for (let more = true; more;) {
      [{ more }] = (await database.query<{ more: boolean }>(
        'SELECT more FROM ledger.seal_due($1, $2::bytea[], 256, 0, 7)',
        [HOST, publicKeys],
      )) as [{ more: boolean }];
    }
    expect(await scene.entriesOf(ACME)).toHaveLength(44);
    expect(await database.query('SELECT FROM ledger.logs WHERE rescanned_at IS NOT NULL')).toEqual([]);
  });

  it('that is killed at any moment leaves a log that the next sealer goes on with', async () => {
    const key = newKey();
    for (let round = 0; round < 15; round++) {
      await write(40);
      const killed = sealerWith(key)
        .seal(HOST)
        .catch(() => 0);
      // The first kill comes before its first statement, the last one after its last.
      await delay(round * 2);
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'sealing'`,
      );
      await killed;
    }
    await sealerWith(key).seal(HOST);
    expect(await expectSound(ACME)).toHaveLength(1 + 15 * 40);
  });
});
