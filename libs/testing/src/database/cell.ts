import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool, type QueryResultRow } from 'pg';
import { LOGIN_ROLES, migrate, setLoginPasswords } from '@plat/database';
import { startCluster } from '@plat/embedded';
import { LOGIN_PASSWORD } from './login-password';
import type { TestDatabase } from './test-database';

/** A migrated database in a PostgreSQL cluster from which and to which rows can be replicated. */
export type CellDatabase = Pick<TestDatabase, 'ownerUrl' | 'url' | 'query' | 'drop'>;

/** A PostgreSQL cluster of its own, for tests of two cells. */
export interface TestCell {
  /** A new database with all migrations applied. */
  create(): Promise<CellDatabase>;
  stop(): Promise<void>;
}

/** Starts a cell. Its folder lasts as long as the cell. */
export async function startCell(): Promise<TestCell> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-cell-'));
  const settings = { wal_level: 'logical', max_connections: '200', autovacuum: 'off' };
  const cluster = await startCluster({ dataDir, durable: false, settings });
  await run(cluster.url(), 'CREATE DATABASE template_of_cell');
  await migrate(cluster.url('template_of_cell'));
  const passwords = Object.values(LOGIN_ROLES).map((login) => [login, LOGIN_PASSWORD]);
  await setLoginPasswords(cluster.url(), Object.fromEntries(passwords) as Record<string, string>);
  let databases = 0;
  return {
    create: async () => {
      const name = `cell_${(databases += 1)}`;
      await run(cluster.url(), `CREATE DATABASE ${name} TEMPLATE template_of_cell`);
      return openDatabase(cluster.url(name), () => run(cluster.url(), `DROP DATABASE ${name} WITH (FORCE)`));
    },
    stop: async () => {
      await cluster.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function openDatabase(ownerUrl: string, drop: () => Promise<void>): CellDatabase {
  const owner = new Pool({ connectionString: ownerUrl, max: 2, allowExitOnIdle: true });
  owner.on('error', () => undefined);
  return {
    ownerUrl,
    url: (login) =>
      Object.assign(new URL(ownerUrl), { username: login, password: LOGIN_PASSWORD }).toString(),
    query: async <Row extends QueryResultRow>(sql: string, args: unknown[] = []) =>
      (await owner.query<Row>(sql, args)).rows,
    drop: async () => {
      await owner.end();
      await drop();
    },
  };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
