import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { applyDirectory, LOGIN_ROLES, migrate, schemaSource, setLoginPasswords } from '@plat/database';
import { startCluster } from '@plat/embedded';
import { testDirectory } from '@plat/testing';

/** The workspace root, two levels up from the folder of the bundle in dist. */
const root = join(__dirname, '..', '..');
const PASSWORD = 'nightly';
const TEMPLATE = 'plat_template';

/** A database server of this run, and any number of migrated databases in it. */
export interface Databases {
  /** Creates a database with the test directory. */
  create(name: string): Promise<{ ownerUrl: string; loginUrl(role: string): string }>;
  stop(): Promise<void>;
}

export async function startDatabases(): Promise<Databases> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-nightly-'));
  const cluster = await startCluster({ dataDir, durable: false, settings: { max_connections: '200' } });
  const stop = async (): Promise<void> => {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await asOwner(cluster.url(), `CREATE DATABASE ${TEMPLATE}`);
    const template = cluster.url(TEMPLATE);
    await migrate(template, schemaSource(root));
    const roles = Object.values(LOGIN_ROLES);
    await setLoginPasswords(template, Object.fromEntries(roles.map((role) => [role, PASSWORD])));
    await applyDirectory(template, testDirectory('https://issuer.example'));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stop,
    create: async (name) => {
      await asOwner(cluster.url(), `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
      const ownerUrl = cluster.url(name);
      const loginUrl = (role: string): string =>
        Object.assign(new URL(ownerUrl), { username: role, password: PASSWORD }).href;
      return { ownerUrl, loginUrl };
    },
  };
}

async function asOwner(url: string, sql: string): Promise<void> {
  const owner = new Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query(sql);
  } finally {
    await owner.end();
  }
}
