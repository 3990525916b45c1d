/**
 * @peers pgbouncer postgresql-15
 * @paths docs/operations.md libs apps/e2e/src tools/db
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Pooler, startPooler } from '@plat/testing';
import { PageCommands } from './restore/page-commands';
import { type OwnedDatabase, startOwnedDatabase } from './rotation/owned-database';

const LOGIN = 'plat_reviews';
const PASSWORD = 'failover-of-the-spec';

describe("a failover behind PgBouncer, by the command of the operator's page", () => {
  let folder: string;
  let page: PageCommands;
  let database: OwnedDatabase;
  let pooler: Pooler;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-failover-page-'));
    page = await PageCommands.in(folder);
    database = await startOwnedDatabase('15', { page, folder: join(folder, 'database') });
    await database.asSuperuser(`CREATE ROLE ${LOGIN} LOGIN PASSWORD '${PASSWORD}'`);
    pooler = await startPooler(database.cluster.port, { passwords: { [LOGIN]: PASSWORD } });
  }, 120_000);
  afterAll(async () => {
    await pooler.stop();
    await database.cluster.stop();
    await rm(folder, { recursive: true });
  });

  /** The process of the database that answers a new client of the pooler. */
  async function findAnsweringProcess(): Promise<number> {
    const client = new Client(database.url(LOGIN, PASSWORD, pooler.port));
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.end();
    return rows[0]!.pid;
  }

  it('ends the connections to the former primary, and requests are answered at once by new ones', async () => {
    const former = await findAnsweringProcess();
    const printed = await page.follow('failover-pooler', pooler.console);
    expect(printed).toBe('RELOAD\nKILL\nRESUME\n');
    expect(await findAnsweringProcess()).not.toBe(former);
  }, 30_000);
});
