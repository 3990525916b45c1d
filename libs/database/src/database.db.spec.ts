import { createTestDatabase, provedScope, type TestDatabase, testDirectory } from '@plat/testing';
import { applyDirectory } from './apply-directory';
import { Database } from './database';
import { LOGIN_ROLES } from './logins';
import type { TenantScope } from './scope';

describe("a service's way to the database", () => {
  let test: TestDatabase;
  let acme: TenantScope;
  const open: Database[] = [];
  beforeAll(async () => {
    test = await createTestDatabase();
    await applyDirectory(test.ownerUrl, testDirectory('https://id.example'));
    acme = await provedScope(test, 'alice');
  });
  afterAll(async () => {
    for (const database of open) await database.close();
    await test.drop();
  });

  async function connect(url: string): Promise<Database> {
    const options = { url, applicationName: 'spec', poolSizeMax: 2, preparedStatements: true };
    const database = await Database.connect(options);
    open.push(database);
    return database;
  }

  it.each(Object.values(LOGIN_ROLES))('is open to the login %s', async (role) => {
    await expect((await connect(test.url(role))).ping()).resolves.toBeUndefined();
  });

  it('is closed to a login that could bypass row-level security, and says why', async () => {
    await expect(connect(test.ownerUrl)).rejects.toThrow(
      /could bypass row-level security: role \w+ is a superuser or has BYPASSRLS/,
    );
  });

  it('is closed to a login that can act as the owner of a table', async () => {
    await test.query("CREATE ROLE spec_member LOGIN PASSWORD 'test' IN ROLE plat_reviews_owner");
    await expect(connect(test.url('spec_member'))).rejects.toThrow('it can act as the owner of reviews.');
    await test.query('DROP ROLE spec_member');
  });

  it('answers times as RFC 3339 in UTC with microseconds', async () => {
    const database = await connect(test.url('plat_reviews'));
    const rows = await database.run({
      name: 'spec_times',
      text: `SELECT '2026-01-02 03:04:05.123456+00'::timestamptz AS fine, '2026-01-02 05:04:05+02'::timestamptz AS whole`,
      values: [],
    });
    expect(rows).toEqual([{ fine: '2026-01-02T03:04:05.123456Z', whole: '2026-01-02T03:04:05Z' }]);
  });

  it('speaks for the tenant within the transaction, and for none after it', async () => {
    const database = await connect(test.url('plat_reviews'));
    const tenant = `SELECT tenancy.tenant_id() AS tenant`;
    const inside = await database.transaction(acme, (tx) => tx.query(tenant) as Promise<unknown>);
    expect(inside).toEqual([{ tenant: acme.tenantId }]);
    const after = await Promise.all(
      [1, 2, 3].map(() =>
        database.run<{ tenant: string }>({ name: 'spec_tenant', text: tenant, values: [] }),
      ),
    );
    expect(after.flat()).toEqual([{ tenant: null }, { tenant: null }, { tenant: null }]);
  });

  it('gives back its connection when the work of a transaction fails', async () => {
    const database = await connect(test.url('plat_reviews'));
    for (let i = 0; i < 5; i++)
      await expect(database.transaction(acme, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(database.ping()).resolves.toBeUndefined();
  });

  it('answers the refusal of a function as the error that is answered', async () => {
    const database = await connect(test.url('plat_reviews'));
    const text = `SELECT tenancy.refuse('CONFLICT', '{"a": 1}', 'Taken.')`;
    await expect(database.run({ name: 'spec_refuse', text, values: [] })).rejects.toMatchObject({
      code: 'CONFLICT',
      status: 409,
      message: 'Taken.',
      details: { a: 1 },
    });
  });

  describe('a refusal leaves its connection as good as an answer does', () => {
    const backend = { name: 'spec_pid', text: 'SELECT pg_backend_pid() AS pid', values: [] };
    const emptyQueue = { name: 'reviews.advance', args: ['main', null, false] } as const;
    const cases: [string, (database: Database) => Promise<unknown>][] = [
      ['of a function', (database) => database.call(acme, emptyQueue)],
      ['within a transaction', (database) => database.transaction(acme, (tx) => tx.query('SELECT 1/0'))],
      [
        'of a constraint',
        (database) =>
          database.call(acme, {
            name: 'reviews.create_review',
            args: [acme.userId, acme.userId, '', null, 'a', 'main'],
          }),
      ],
      [
        'of a lock that was not had',
        (database) =>
          database.run({
            name: '',
            text: `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '55P03'; END $$`,
            values: [],
          }),
      ],
    ];

    it.each(cases)('%s', async (_, refused) => {
      const options = { applicationName: 'spec', poolSizeMax: 1, preparedStatements: true };
      const database = await Database.connect({ ...options, url: test.url('plat_reviews') });
      open.push(database);
      const before = await database.run(backend);
      for (let i = 0; i < 3; i++) await expect(refused(database)).rejects.toThrow();
      expect(await database.run(backend)).toEqual(before);
    });

    it('and speaks for no tenant after it', async () => {
      const database = await connect(test.url('plat_reviews'));
      await expect(database.call(acme, emptyQueue)).rejects.toMatchObject({ code: 'EMPTY_QUEUE' });
      const text = `SELECT tenancy.tenant_id() AS tenant, current_user::text AS role`;
      expect(await database.run({ name: 'spec_left', text, values: [] })).toEqual([
        { tenant: null, role: 'plat_reviews' },
      ]);
    });

    it('but one that the database has closed is not used again', async () => {
      const options = { applicationName: 'spec', poolSizeMax: 1, preparedStatements: true };
      const database = await Database.connect({ ...options, url: test.url('plat_reviews') });
      open.push(database);
      const text = 'SELECT pg_terminate_backend(pg_backend_pid())';
      await expect(database.run({ name: '', text, values: [] })).rejects.toThrow();
      await expect(database.ping()).resolves.toBeUndefined();
    });
  });
});
