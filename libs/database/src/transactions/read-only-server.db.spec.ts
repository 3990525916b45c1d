import { newId } from '@plat/contracts/core';
import { createTestDatabase, proveScope, type TestDatabase, testDirectory } from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { Database } from './database';
import type { TenantScope } from './scope';

const NO_REVIEW = '00000000-0000-7000-8000-000000000001';
const NOTHING_DONE = { code: 'SERVICE_UNAVAILABLE', message: expect.not.stringContaining('not known') };
const BECOME_READ_ONLY = 'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY';

describe('a database server that takes no writes, as a standby or a former primary', () => {
  let test: TestDatabase;
  let acme: TenantScope;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    await applyDirectory(test.ownerUrl, testDirectory('https://id.example'));
    acme = await proveScope(test, 'alice');
  });
  beforeEach(async () => {
    await setReadOnly(false);
    database = await connect();
  });
  afterEach(() => database.close());
  afterAll(() => test.drop());

  const connect = () =>
    Database.connect({
      url: test.url('plat_reviews'),
      applicationName: 'spec_read_only',
      poolSizeMax: 1,
      preparedStatements: true,
    });
  /** From now on new connections find the server read-only; those that there are go on. */
  const setReadOnly = (readOnly: boolean) => {
    const name = new URL(test.ownerUrl).pathname.slice(1);
    return test.query(
      `BEGIN; SET LOCAL transaction_read_only = off;
       ALTER DATABASE ${name} SET default_transaction_read_only = ${readOnly}; COMMIT`,
    );
  };
  const find = () => database.find(acme, { name: 'reviews.get_review', args: [NO_REVIEW] });
  const demote = () => database.run({ name: 'spec_demote', text: BECOME_READ_ONLY, values: [] });
  const write = () => {
    const id = newId();
    const args = [id, acme.userId, id, null, `topic/${id}`, 'main'];
    return database.call(acme, { name: 'reviews.create_review', args });
  };

  it('refuses the start', async () => {
    await setReadOnly(true);
    await expect(connect()).rejects.toThrow('the database server takes no writes');
  });

  it('answers a write with 503 and nothing done, and the next one uses another connection', async () => {
    await demote();
    await expect(write()).rejects.toMatchObject(NOTHING_DONE);
    await expect(write()).resolves.toHaveLength(1);
  });

  it('answers with 503 as long as new connections lead there, and works again after that', async () => {
    await setReadOnly(true);
    await demote();
    await expect(write()).rejects.toMatchObject(NOTHING_DONE);
    await expect(write()).rejects.toMatchObject(NOTHING_DONE);
    await expect(find()).rejects.toMatchObject(NOTHING_DONE);
    await setReadOnly(false);
    await expect(write()).resolves.toHaveLength(1);
    await expect(find()).resolves.toEqual([]);
  });

  it('serves no read of the past: reads by key leave it with the first refused write', async () => {
    await find();
    const before = await sessions();
    await demote();
    await expect(write()).rejects.toMatchObject(NOTHING_DONE);
    await find();
    const after = await sessions();
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('is seen by a ping', async () => {
    await demote();
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    await expect(database.ping()).rejects.toMatchObject(NOTHING_DONE);
    later.mockRestore();
    await expect(database.ping()).resolves.toBeUndefined();
  });

  /** The processes that serve this test's connections. */
  async function sessions(): Promise<number[]> {
    const rows = await test.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'spec_read_only' AND datname = current_database()",
    );
    return rows.map(({ pid }) => pid);
  }
});
