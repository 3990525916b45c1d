import {
  createTestDatabase,
  proveScope,
  type TestDatabase,
  testDirectory,
  VanishingHost,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { Database } from '../transactions/database';
import type { TenantScope } from '../transactions/scope';

const DEADLINES = { statementMs: 1500, findMs: 1000, pingMs: 1000 };
const NO_REVIEW = '00000000-0000-7000-8000-000000000001';
const NOTHING_DONE = { code: 'SERVICE_UNAVAILABLE', message: expect.not.stringContaining('not known') };
const UNKNOWN = { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('not known') };

describe('a database host that vanishes without a reset', () => {
  let test: TestDatabase;
  let acme: TenantScope;
  let host: VanishingHost;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    await applyDirectory(test.ownerUrl, testDirectory('https://id.example'));
    acme = await proveScope(test, 'alice');
  });
  beforeEach(async () => {
    const url = test.url('plat_reviews');
    host = await VanishingHost.start(url);
    database = await Database.connect({
      url: host.url(url),
      applicationName: 'spec_vanishing',
      poolSizeMax: 4,
      preparedStatements: true,
      deadlines: DEADLINES,
    });
    // Opens every kind of connection, and several connections of the pool.
    await Promise.all([find(), find(), ...Array.from({ length: 3 }, run)]);
  });
  afterEach(async () => {
    await database.close();
    await host.stop();
  });
  afterAll(() => test.drop());

  const run = () => database.run({ name: 'spec_one', text: 'SELECT 1 AS one', values: [] });
  const find = () => database.find(acme, { name: 'reviews.get_review', args: [NO_REVIEW] });
  const transaction = () => database.transaction(acme, (tx) => tx.query('SELECT 1 AS one'));

  it.each([
    ['a statement, whose outcome is not known', run, UNKNOWN],
    ['a transaction, whose outcome is not known', transaction, UNKNOWN],
    ['a read by key, which did nothing', find, NOTHING_DONE],
    [
      'a statement for which there is no connection',
      async () => {
        await Promise.allSettled([run(), run(), run()]);
        return run();
      },
      NOTHING_DONE,
    ],
  ])('is 503 within the deadline for %s', async (_, ask, refusal) => {
    host.vanish();
    await expect(ask()).rejects.toMatchObject(refusal);
  });

  it.each([
    ['statements', run],
    ['transactions', transaction],
    ['reads by key', find],
  ])('costs one deadline: %s have new connections when another host has its place', async (_, ask) => {
    host.vanish();
    await Promise.allSettled([ask(), ask()]);
    host.comeBack();
    const answers = await Promise.allSettled(Array.from({ length: 6 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'));
  });

  it('is seen by a ping, which passes again when another host has its place', async () => {
    await expect(database.ping()).resolves.toBeUndefined();
    host.vanish();
    await Promise.allSettled([run(), find(), find()]);
    await expect(database.ping()).rejects.toThrow();
    host.comeBack();
    await expect(database.ping()).resolves.toBeUndefined();
  });

  it('lets close() finish', async () => {
    host.vanish();
    await expect(database.close()).resolves.toBeUndefined();
  });
});
