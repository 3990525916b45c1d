import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { compareSchema } from './compare-schema';
import { migrate, SOURCE_SCHEMA } from './migrate';
import { readHistory } from './migration-history';

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

  it('are all applied in their order, and returned', async () => {
    const url = await emptyDatabase();
    expect(await appliedMigrations(url)).toEqual([]);
    const before = Date.now();
    expect((await migrate(url)).migrations).toEqual(files);
    const applied = await appliedMigrations(url);
    expect(applied.map(({ name }) => name)).toEqual(files);
    expect(Math.abs(Date.parse(applied[0]!.appliedAt) - before)).toBeLessThan(60_000);
  });

  it('are applied once: run again they change nothing', async () => {
    const url = await migrateNew();
    const before = await appliedMigrations(url);
    expect(await migrate(url)).toEqual({ migrations: [], functions: [] });
    expect(await appliedMigrations(url)).toEqual(before);
  });

  it('are compared with their files later on, also if the run that applied them was killed before it noted them', async () => {
    const url = await migrateNew();
    await withClient(url, (client) => client.query('DELETE FROM migrations.digests'));
    await migrate(url);
    const noted = await withClient(url, (client) => client.query('SELECT FROM migrations.digests'));
    expect(noted.rowCount).toBe(files.length);
  });

  it('are compared with what was applied, if the run that applied them did not get to its end', async () => {
    const url = await emptyDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'plat-cut-'));
    const source = { ...SOURCE_SCHEMA, migrationsDir: folder };
    await cp(SOURCE_SCHEMA.migrationsDir, folder, { recursive: true });
    await writeFile(join(folder, '9998_spec.sql'), 'CREATE TABLE public.spec ();');
    await writeFile(join(folder, '9999_spec.sql'), 'SELECT 1 / 0;');
    await expect(migrate(url, source)).rejects.toThrow('division by zero');
    await appendFile(join(folder, '9998_spec.sql'), '-- edited\n');
    await writeFile(join(folder, '9999_spec.sql'), 'SELECT 1;');
    expect((await compareSchema(url, source)).edited).toEqual(['9998_spec']);
    await expect(migrate(url, source)).rejects.toThrow(/^Edited after it was applied: 9998_spec/);
    await rm(folder, { recursive: true });
  });

  it('have not ended, and no service starts, until the version is noted', async () => {
    expect((await compareSchema(await emptyDatabase(), SOURCE_SCHEMA)).behind).toBe('');
    const url = await migrateNew();
    expect((await compareSchema(url, SOURCE_SCHEMA)).behind).toBeUndefined();
    const older = `UPDATE identity.schema_state SET version = '0007_audit+0001'`;
    await withClient(url, (client) => client.query(older));
    expect((await compareSchema(url, SOURCE_SCHEMA)).behind).toBe('0007_audit+0001');
    await migrate(url);
    expect((await compareSchema(url, SOURCE_SCHEMA)).behind).toBeUndefined();
  });

  it('bring the row of the version back if it was deleted, without which no service starts', async () => {
    const url = await migrateNew();
    const state = () =>
      withClient(url, async (client) => (await client.query('SELECT * FROM identity.schema_state')).rows);
    const [before] = await state();
    await withClient(url, (client) => client.query('DELETE FROM identity.schema_state'));
    expect((await compareSchema(url, SOURCE_SCHEMA)).behind).toBe('');
    await migrate(url);
    expect((await compareSchema(url, SOURCE_SCHEMA)).behind).toBeUndefined();
    expect(await state()).toEqual([{ ...before, works_from: before!.version }]);
  });

  it('are refused, and nothing is done, if an applied one was edited', async () => {
    const url = await migrateNew();
    const folder = await mkdtemp(join(tmpdir(), 'plat-edited-'));
    await cp(SOURCE_SCHEMA.migrationsDir, folder, { recursive: true });
    await appendFile(join(folder, '0006_releases.sql'), '-- edited\n');
    await writeFile(join(folder, '9999_spec.sql'), 'CREATE TABLE public.spec ();');
    await expect(migrate(url, { ...SOURCE_SCHEMA, migrationsDir: folder })).rejects.toThrow(
      /^Edited after it was applied: 0006_releases\. Nothing was done/,
    );
    const differences = await compareSchema(url, { ...SOURCE_SCHEMA, migrationsDir: folder });
    expect(differences).toMatchObject({ pending: ['9999_spec'], edited: ['0006_releases'], unknown: [] });
    await rm(folder, { recursive: true });
  });

  it('are refused, and nothing is done, in a database that an unreleased checkout made', async () => {
    const url = await emptyDatabase();
    await withClient(url, (client) =>
      client.query(`CREATE SCHEMA migrations;
        CREATE TABLE migrations.applied (id serial, name text, run_on timestamp DEFAULT now());
        INSERT INTO migrations.applied (name) VALUES ('0001_tenancy')`),
    );
    await expect(migrate(url)).rejects.toThrow(
      /^This database was made by an unreleased checkout of plat.* Nothing was done$/,
    );
    expect(
      await withClient(url, (client) => client.query(`SELECT to_regnamespace('tenancy') AS made`)),
    ).toMatchObject({
      rows: [{ made: null }],
    });
  });

  it.each(['audit.audit_events', 'builds.builds'])(
    'make a partition of %s for this month and the eleven after it, under row-level security',
    async (parent) => {
      const url = await migrateNew();
      const { rows } = await withClient(url, (client) =>
        client.query<{ name: string; confined: boolean }>(
          `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS confined
             FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = $1::regclass ORDER BY 1`,
          [parent],
        ),
      );
      const stem = parent.split('.')[1]!;
      const months = Array.from({ length: 12 }, (_, ahead) => {
        const now = new Date();
        const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead));
        return `${stem}_${month.toISOString().slice(0, 7).replace('-', '_')}`;
      });
      expect(rows.map(({ name }) => name)).toEqual([...months, `${stem}_early`].sort());
      expect(rows.every(({ confined }) => confined)).toBe(true);
    },
  );
});
