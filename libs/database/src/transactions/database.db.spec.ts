import { Client } from 'pg';
import { createTestDatabase, proveScope, type TestDatabase, testDirectory } from '@plat/testing';
import { DEADLINES } from '../connections/connection';
import { applyDirectory } from '../directory/apply-directory';
import { LOGIN_ROLES } from '../logins/logins';
import { SCHEMA_VERSION } from '../schema-version';
import { Database } from './database';
import type { TenantScope } from './scope';
import type { SqlCall } from './sql-call';

describe("a service's way to the database", () => {
  let test: TestDatabase;
  let acme: TenantScope;
  const open: Database[] = [];
  beforeAll(async () => {
    test = await createTestDatabase();
    await applyDirectory(test.ownerUrl, testDirectory('https://id.example'));
    acme = await proveScope(test, 'alice');
  });
  afterAll(async () => {
    for (const database of open) await database.close();
    await test.drop();
  });

  async function connect(url: string, poolSizeMax = 2): Promise<Database> {
    const options = { url, applicationName: 'spec', poolSizeMax, preparedStatements: true };
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

  it.each(Object.entries(LOGIN_ROLES))("is closed to another service's login: %s", async (service, login) => {
    const other = service === 'reviews' ? LOGIN_ROLES.builds : LOGIN_ROLES.reviews;
    const options = {
      url: test.url(other),
      applicationName: 'spec',
      poolSizeMax: 1,
      preparedStatements: true,
    };
    await expect(Database.connect({ ...options, login })).rejects.toThrow(
      `the database login is ${other}, and this service's own is ${login}`,
    );
  });

  describe('and the schema', () => {
    const state = (version: string, worksFrom: string) =>
      test.query('UPDATE identity.schema_state SET version = $1, works_from = $2', [version, worksFrom]);
    afterEach(() => state(SCHEMA_VERSION, '0008_ledger'));

    it('is the one that this release has files for, after its migrations', async () => {
      expect(await test.query('SELECT version FROM identity.schema_state')).toEqual([
        { version: SCHEMA_VERSION },
      ]);
    });

    it.each([
      ['0007_audit', 'the schema is at 0007_audit, and this release needs '],
      ['', 'the schema is not migrated, and this release needs '],
    ])('is refused when it is older than this release needs: %s', async (version, message) => {
      await state(version, '');
      await expect(connect(test.url('plat_reviews'))).rejects.toThrow(message + SCHEMA_VERSION);
    });

    it('is refused if the row of its version was deleted', async () => {
      await test.query('DELETE FROM identity.schema_state');
      await expect(connect(test.url('plat_reviews'))).rejects.toThrow('the schema is not migrated');
      await test.query(`INSERT INTO identity.schema_state (version, works_from) VALUES ('', '')`);
    });

    it('is refused if it has no function that reports its version', async () => {
      await test.query('ALTER FUNCTION identity.schema_version() RENAME TO spec_hidden');
      await expect(connect(test.url('plat_reviews'))).rejects.toThrow('the schema is not migrated');
      await test.query('ALTER FUNCTION identity.spec_hidden() RENAME TO schema_version');
    });

    it('may be newer, as long as it still works with this release', async () => {
      await state('9998_newer', SCHEMA_VERSION);
      await expect((await connect(test.url('plat_reviews'))).ping()).resolves.toBeUndefined();
      await state('9998_newer', '9997_left_behind');
      await expect(connect(test.url('plat_reviews'))).rejects.toThrow(
        'the schema is at 9998_newer, which works with releases from 9997_left_behind on',
      );
    });
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
    for (let i = 0; i < 5; i++) {
      await expect(database.transaction(acme, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    await expect(database.ping()).resolves.toBeUndefined();
  });

  it('turns the refusal of a SQL function into an ApiError with its code, message and details', async () => {
    const database = await connect(test.url('plat_reviews'));
    const text = `SELECT tenancy.refuse('CONFLICT', '{"a": 1}', 'Taken.')`;
    await expect(database.run({ name: 'spec_refuse', text, values: [] })).rejects.toMatchObject({
      code: 'CONFLICT',
      status: 409,
      message: 'Taken.',
      details: { a: 1 },
    });
  });

  it.each(Object.values(LOGIN_ROLES))(
    'the database ends a statement of %s before the client gives it up, so that no statement outlives its answer',
    async (role) => {
      const database = await connect(test.url(role));
      const text = `SELECT extract(epoch FROM current_setting('statement_timeout')::interval) * 1000 AS ms`;
      const [limit] = await database.run<{ ms: string }>({ name: 'spec_limit', text, values: [] });
      expect(Number(limit!.ms)).toBeGreaterThan(0);
      expect(Number(limit!.ms)).toBeLessThan(DEADLINES.statementMs);
    },
  );

  it('answers a statement that took too long as SERVICE_UNAVAILABLE', async () => {
    const database = await connect(test.url('plat_reviews'));
    const slow = database.transaction(acme, async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = '1ms'`);
      await tx.query('SELECT pg_sleep(60)');
    });
    await expect(slow).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  });

  describe('pages of a tenant are read', () => {
    const HELD = 'SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND objid = 4711';
    const HOLD: SqlCall = { name: 'spec.hold', args: [] };
    let holder: Client;
    let database: Database;
    beforeEach(async () => {
      await test.query(`CREATE SCHEMA spec; GRANT USAGE ON SCHEMA spec TO PUBLIC;
        CREATE FUNCTION spec.hold(tenant uuid) RETURNS SETOF int LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEXT 1; END'`);
      holder = new Client({ connectionString: test.ownerUrl });
      await holder.connect();
      database = await connect(test.url('plat_reviews'), 4);
    });
    afterEach(async () => {
      await holder.end();
      await test.query('DROP SCHEMA spec CASCADE');
    });

    /**
     * Starts two pages that wait for a lock, and runs other statements until so many wait in the database, and once more.
     *
     * @returns how many wait then
     */
    async function readTwo(others: () => Promise<unknown>, expected: number): Promise<number> {
      await others();
      await holder.query('SELECT pg_advisory_lock(4711)');
      const pages = [database.page(acme, HOLD), database.page(acme, HOLD)];
      const countWaiting = async () => (await holder.query<{ count: number }>(HELD)).rows[0]!.count;
      while ((await countWaiting()) < expected) await others();
      await others();
      const count = await countWaiting();
      await holder.query('SELECT pg_advisory_unlock(4711)');
      await Promise.all(pages);
      return count;
    }

    it('at the same time if no other tenant asks; the trail and lookups of callers do not count', async () => {
      const share = '["https://id.example","acme"]';
      const trail = { name: 'spec_trail', text: 'SELECT pg_sleep(0.05)', values: [] };
      const others = () => Promise.all([database.run(trail), database.run({ ...trail, share })]);
      expect(await readTwo(others, 2)).toBe(2);
    });

    it.each(['call', 'find'] as const)('one by one while there is another tenant’s %s', async (kind) => {
      await test.query(`CREATE FUNCTION spec.sleep(tenant uuid) RETURNS SETOF int LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_sleep(0.1); RETURN NEXT 1; END'`);
      const other = await proveScope(test, 'mallory');
      const others = () => database[kind](other, { name: 'spec.sleep', args: [] });
      expect(await readTwo(others, 1)).toBe(1);
    });
  });

  describe('a connection is used again after a refusal', () => {
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
        'of a lock that was not granted in time',
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

    it('and then speaks for no tenant', async () => {
      const database = await connect(test.url('plat_reviews'));
      await expect(database.call(acme, emptyQueue)).rejects.toMatchObject({ code: 'EMPTY_QUEUE' });
      const text = `SELECT tenancy.tenant_id() AS tenant, current_user::text AS role`;
      expect(await database.run({ name: 'spec_left', text, values: [] })).toEqual([
        { tenant: null, role: 'plat_reviews' },
      ]);
    });

    it('unless the database has closed it', async () => {
      const options = { applicationName: 'spec', poolSizeMax: 1, preparedStatements: true };
      const database = await Database.connect({ ...options, url: test.url('plat_reviews') });
      open.push(database);
      const text = 'SELECT pg_terminate_backend(pg_backend_pid())';
      await expect(database.run({ name: '', text, values: [] })).rejects.toThrow();
      await expect(database.ping()).resolves.toBeUndefined();
    });
  });
});
