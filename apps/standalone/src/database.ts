import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import type { ServiceName } from '@plat/contracts/core';
import { keepRefusalsOutOfLog, LOGIN_ROLES, migrate, schemaSource, setLoginPasswords } from '@plat/database';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { workspaceRoot } from '@plat/local';

const DATABASE = 'plat';

/** The service's database, at the newest schema. */
export interface OwnDatabase {
  cluster: EmbeddedCluster;
  ownerUrl: string;
  /** Each service's own login; the passwords are new at every start and kept in memory alone. */
  loginUrls: Readonly<Record<ServiceName, string>>;
}

/** Starts the PostgreSQL of a data directory. */
export function startPostgres(dataDir: string): Promise<EmbeddedCluster> {
  return startCluster({
    dataDir: join(dataDir, 'postgres'),
    durable: true,
    logFile: join(dataDir, 'postgres.log'),
  });
}

/** Makes the database if there is none yet, migrates it, and gives each service its login. */
export async function prepareDatabase(cluster: EmbeddedCluster): Promise<OwnDatabase> {
  await createMissingDatabase(cluster.url());
  const ownerUrl = cluster.url(DATABASE);
  await migrate(ownerUrl, schemaSource(workspaceRoot()));
  await keepRefusalsOutOfLog(ownerUrl);
  const passwords = Object.fromEntries(
    Object.values(LOGIN_ROLES).map((role) => [role, randomBytes(24).toString('base64url')]),
  );
  await setLoginPasswords(ownerUrl, passwords);
  const loginUrls = Object.fromEntries(
    Object.entries(LOGIN_ROLES).map(([service, role]) => [
      service,
      loginUrl(ownerUrl, role, passwords[role] ?? ''),
    ]),
  ) as Record<ServiceName, string>;
  return { cluster, ownerUrl, loginUrls };
}

async function createMissingDatabase(clusterUrl: string): Promise<void> {
  const client = new Client({ connectionString: clusterUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

function loginUrl(ownerUrl: string, role: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = role;
  url.password = password;
  return url.href;
}
