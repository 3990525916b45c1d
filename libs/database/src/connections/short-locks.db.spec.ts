import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { migrate, SOURCE_SCHEMA } from '../migrations/migrate';
import { withShortLocks } from './short-locks';

describe('a statement that takes a strong lock', () => {
  let test: TestDatabase;
  const clients: Client[] = [];
  beforeAll(async () => (test = await createTestDatabase()));
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await test.drop();
  });

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: test.ownerUrl });
    await client.connect();
    clients.push(client);
    return client;
  }

  /** A long reader of the table, as a dump is. */
  async function readerOf(table: string): Promise<() => Promise<unknown>> {
    const reader = await connect();
    await reader.query('BEGIN');
    await reader.query(`LOCK TABLE ${table} IN ACCESS SHARE MODE`);
    return () => reader.query('COMMIT');
  }

  /** Waits until the statement waits for its lock. @returns when the statement began */
  async function waitForLock(statement: string): Promise<string> {
    for (;;) {
      const [row] = await test.query<{ since: string }>(
        `SELECT query_start::text AS since FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
        [`${statement}%`],
      );
      if (row) return row.since;
    }
  }

  /** Both cases write it into the same file, because an applied migration may not differ from its file. */
  const statement = 'ALTER TABLE releases.releases ADD COLUMN spec int';

  it('is tried again while a long reader has the table, and blocks no later reader', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plat-locks-'));
    await cp(SOURCE_SCHEMA.migrationsDir, folder, { recursive: true });
    await writeFile(join(folder, '9999_spec.sql'), `${statement};\n`);
    const release = await readerOf('releases.releases');
    const migrated = migrate(test.ownerUrl, { ...SOURCE_SCHEMA, migrationsDir: folder });
    const first = await waitForLock(statement);
    const other = await connect();
    // The long reader ends only after this statement, which would fail after 5 s if it waited for that.
    await other.query("SET lock_timeout = '5s'");
    await other.query('SELECT FROM releases.releases LIMIT 1');
    let again = first;
    while (again === first) again = await waitForLock(statement);
    await release();
    expect((await migrated).migrations).toEqual(['9999_spec']);
    await rm(folder, { recursive: true });
  }, 30_000);

  it('leaves the migrations before it applied if it fails, because each is one transaction', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plat-locks-'));
    await cp(SOURCE_SCHEMA.migrationsDir, folder, { recursive: true });
    await writeFile(join(folder, '9999_spec.sql'), `${statement};\n`);
    await writeFile(join(folder, '99990_good.sql'), 'CREATE TABLE public.spec_good ();');
    await writeFile(join(folder, '99991_bad.sql'), 'SELECT 1 / 0;');
    await expect(migrate(test.ownerUrl, { ...SOURCE_SCHEMA, migrationsDir: folder })).rejects.toThrow(
      'division by zero',
    );
    expect(await test.query("SELECT to_regclass('public.spec_good')::text AS name")).toEqual([
      { name: 'spec_good' },
    ]);
    await rm(folder, { recursive: true });
  }, 30_000);

  it('is given up with an error that names the oldest transaction', async () => {
    const release = await readerOf('builds.builds');
    const client = await connect();
    const lock = () => client.query('BEGIN; LOCK TABLE builds.builds');
    const patience = { waitMs: 20, pauseMs: 1, giveUpMs: 100 };
    await expect(withShortLocks(client, lock, patience)).rejects.toThrow(
      /^a lock was not had, however often it was asked for; the oldest transaction is that of process \d+ \(/,
    );
    await release();
  });

  it('is tried again if a run on another database makes the same role at the same moment', async () => {
    const role = 'plat_spec_made_meanwhile';
    const [other, client] = await Promise.all([connect(), connect()]);
    await other.query(`BEGIN; CREATE ROLE ${role}`);
    const makeRole = `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}')
                      THEN CREATE ROLE ${role}; END IF; END $$`;
    const work = jest.fn(() => client.query(makeRole));
    const made = withShortLocks(client, work, { waitMs: 20_000, pauseMs: 1, giveUpMs: 20_000 });
    await waitForLock('DO $$ BEGIN IF NOT EXISTS');
    await other.query('COMMIT');
    await made;
    expect(work).toHaveBeenCalledTimes(2);
    await other.query(`DROP ROLE ${role}`);
  });

  it('is not tried again after any other error', async () => {
    const client = await connect();
    const work = jest.fn(() => client.query('SELECT 1 / 0'));
    await expect(withShortLocks(client, work)).rejects.toThrow('division by zero');
    expect(work).toHaveBeenCalledTimes(1);
  });
});
