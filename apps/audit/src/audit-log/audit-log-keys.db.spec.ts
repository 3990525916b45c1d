import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { applyDirectory, Database, LOGIN_ROLES } from '@plat/database';
import { publicKeyBytes } from '@plat/ledger';
import { createLog } from '@plat/service';
import {
  createTestDatabase,
  proveScope,
  SealingScene,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { LedgerKeys } from '../sealing/ledger-keys';
import { Sealer } from '../sealing/sealer';
import { AuditLogService } from './audit-log.service';

const [FIRST, SECOND] = [1, 2].map(() => generateKeyPairSync('ed25519').privateKey) as [KeyObject, KeyObject];
const [ONE, TWO] = [FIRST, SECOND].map((key) => publicKeyBytes(key).toString('base64')) as [string, string];

let database: TestDatabase;
let login: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('https://issuer.example'));
  login = await Database.connect({
    url: database.url(LOGIN_ROLES.audit),
    applicationName: 'keys',
    poolSizeMax: 2,
    preparedStatements: false,
  });
  await new SealingScene(database).write(1);
});
afterEach(async () => {
  await login.close();
  await database.drop();
});

const seal = (keys: LedgerKeys) =>
  new Sealer(
    { database: login, log: createLog('test', 'silent') },
    { keys, host: 'plat.example', afterSeconds: 0 },
  ).seal('plat.example');

/** Reads the keys that a service with these ledger keys shows, each with whether it signs. */
const readShownKeys = async (ledgerKeys: LedgerKeys): Promise<[string, boolean][]> => {
  const { keys } = await new AuditLogService(login, ledgerKeys).keys(await proveScope(database, 'alice'));
  return keys.map(({ publicKey, signs }) => [publicKey, signs]);
};

describe('the keys of a log', () => {
  it('have a new one from when the log has its entry and is signed by it, and not before', async () => {
    const keys = new LedgerKeys([FIRST]);
    await seal(keys);
    keys.replace([FIRST, SECOND]);
    expect(await readShownKeys(keys)).toEqual([[ONE, true]]);
    await seal(keys);
    expect(await readShownKeys(keys)).toEqual([
      [ONE, true],
      [TWO, true],
    ]);
  });

  it('have a former one after those that sign', async () => {
    const keys = new LedgerKeys([FIRST]);
    await seal(keys);
    keys.replace([SECOND]);
    await seal(keys);
    expect(await readShownKeys(keys)).toEqual([
      [TWO, true],
      [ONE, false],
    ]);
  });
});
