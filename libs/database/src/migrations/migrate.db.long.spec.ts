import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { migrate, SOURCE_SCHEMA } from './migrate';
import { readHistory } from './migration-history';
import { lockMigrations } from './migration-lock';

const files = readdirSync(SOURCE_SCHEMA.migrationsDir)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.replace(/\.sql$/, ''))
  .sort();

/** Runs work with a client that is connected to the URL, and ends the client. */
async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  return work(client).finally(() => client.end());
}

const appliedMigrations = (url: string) => withClient(url, readHistory);

describe('the migrations', () => {
  const made: string[] = [];
  const copies: TestDatabase[] = [];
  const clusterUrl = process.env.PLAT_TEST_DATABASE_URL!;

  async function emptyDatabase(): Promise<string> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await withClient(clusterUrl, (client) => client.query(`CREATE DATABASE ${name}`));
    made.push(name);
    return Object.assign(new URL(clusterUrl), { pathname: `/${name}` }).toString();
  }
  /** A database in which all migrations were run: a copy, since a run takes seconds. */
  async function migrateNew(): Promise<string> {
    const copy = await createTestDatabase();
    copies.push(copy);
    return copy.ownerUrl;
  }
  afterAll(() => Promise.all(copies.map((copy) => copy.drop())));
  afterAll(() =>
    withClient(clusterUrl, async (client) => {
      for (const name of made) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }),
  );

  it('are safe when three run them at once: the others wait for the first', async () => {
    const url = await emptyDatabase();
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(applied.flatMap(({ migrations }) => migrations)).toEqual(files);
    expect(await appliedMigrations(url)).toHaveLength(files.length);
  });

  it('have a lock that one run holds at a time, even if eight runs create its table at once', async () => {
    const url = await emptyDatabase();
    let held = 0;
    const once = async () => {
      const lock = await lockMigrations(url);
      expect((held += 1)).toBe(1);
      held -= 1;
      await lock.release();
    };
    await Promise.all(Array.from({ length: 8 }, once));
  });

  it('wait for no dump, which reads the table of the lock as well', async () => {
    const url = await migrateNew();
    await withClient(url, async (dump) => {
      await dump.query('BEGIN; LOCK TABLE migrations.running IN ACCESS SHARE MODE');
      expect(await migrate(url)).toEqual({ migrations: [], functions: [] });
    });
  });

  it('say for which process they wait, and end if the connection of their lock is lost', async () => {
    const url = await emptyDatabase();
    const lock = await lockMigrations(url);
    let report: (holder: string) => void;
    const holder = new Promise<string>((resolve) => (report = resolve));
    const waiting = migrate(url, SOURCE_SCHEMA, (text) => report(text));
    const [, pid] = /^process (\d+) of \w+ at 127\.0\.0\.1$/.exec(await holder)!;
    await withClient(url, (client) => client.query('SELECT pg_terminate_backend($1)', [pid]));
    await expect(lock.lost).rejects.toThrow(/^The connection that holds the lock .* was lost/);
    expect((await waiting).migrations).toEqual(files);
  });
});
