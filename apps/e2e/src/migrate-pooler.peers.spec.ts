/**
 * @peers pgbouncer postgresql-15
 * @paths docs/operations.md libs apps/e2e/src tools/db
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Pooler, startPooler } from '@plat/testing';
import { PageCommands } from './restore/page-commands';
import { ask } from './restore/portrait';
import { type OwnedDatabase, startOwnedDatabase } from './rotation/owned-database';

describe('the migrations behind PgBouncer, by the commands of the pages', () => {
  let folder: string;
  let page: PageCommands;
  let database: OwnedDatabase;
  let pooler: Pooler | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-migrate-pooler-'));
    page = await PageCommands.in(folder);
    database = await startOwnedDatabase('15', { page, folder: join(folder, 'database') });
  }, 120_000);
  afterEach(async () => {
    await pooler?.stop();
    pooler = undefined;
  });
  afterAll(async () => {
    await database.cluster.stop();
    await rm(folder, { recursive: true });
  });

  const through = async (mode: string): Promise<string> => {
    const owner = new URL(database.ownerUrl);
    pooler = await startPooler(database.cluster.port, {
      passwords: { plat_owner: owner.password },
      settings: { pool_mode: mode },
    });
    return database.url('plat_owner', owner.password, pooler.port);
  };

  it('are refused in transaction mode, and nothing is done', async () => {
    const url = await through('transaction');
    await expect(page.run('npm run db -- migrate', { DATABASE_URL: url })).rejects.toThrow(
      /pooler in transaction mode.*Name the database itself/,
    );
    const [row] = await ask(database.ownerUrl, `SELECT to_regnamespace('migrations')::text AS made`);
    expect(row).toEqual({ made: null });
  }, 120_000);

  it('run in session mode, and the doctor examines through transaction mode', async () => {
    const url = await through('session');
    await page.run('npm run db -- migrate', { DATABASE_URL: url });
    expect(await page.run('npm run db -- migrate', { DATABASE_URL: url })).toContain('up to date');
    await pooler?.stop();
    const transactions = await through('transaction');
    // The settings of a test's cluster are all that it finds.
    await expect(page.run('npm run db -- doctor', { DATABASE_URL: transactions })).rejects.toThrow(
      /fsync is off[^]*\n3 errors, 1 warning/,
    );
  }, 300_000);
});
