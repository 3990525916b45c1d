import { Client } from 'pg';
import { applyDirectory, migrate, setLoginPasswords, SOURCE_SCHEMA } from '@plat/database';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { peer, testDirectory } from '@plat/testing';
import type { PageCommands } from '../restore/page-commands';

/** The password that replaces the placeholder on the page. */
const OWNER_PASSWORD = 'owner-of-the-spec';

export type PostgresVersion = '15' | '18';

/** A PostgreSQL with a database for plat, whose owner is made as the page says and is no superuser. */
export interface OwnedDatabase {
  cluster: EmbeddedCluster;
  ownerUrl: string;
  /** The address of a login of the page's database. */
  url(login: string, password: string, port?: number): string;
  asSuperuser(statement: string): Promise<void>;
}

/** Starts a PostgreSQL and makes the owner and the database by the page's statements. */
export async function startOwnedDatabase(
  version: PostgresVersion,
  { page, folder, settings = {} }: { page: PageCommands; folder: string; settings?: Record<string, string> },
): Promise<OwnedDatabase> {
  const oldest = { initdb: peer('initdb'), postgres: peer('postgres'), major: '15' };
  const cluster = await startCluster({
    dataDir: folder,
    durable: false,
    settings: { timezone: 'UTC', ...settings },
    binaries: version === '15' ? oldest : undefined,
  });
  const asSuperuser = (statement: string) => run(cluster.url(), statement);
  const statements = page.block('sql', 'owner').replaceAll("'…'", `'${OWNER_PASSWORD}'`);
  for (const statement of statements.trim().split('\n')) await asSuperuser(statement);
  const url = (login: string, password: string, port = cluster.port) =>
    `postgres://${login}:${password}@127.0.0.1:${port}/plat`;
  return { cluster, url, asSuperuser, ownerUrl: url('plat_owner', OWNER_PASSWORD) };
}

/** Migrates the database, applies the tests' directory and sets the passwords of logins, all as the owner. */
export async function fillOwnedDatabase(
  { ownerUrl }: OwnedDatabase,
  { issuerUrl, passwords }: { issuerUrl: string; passwords: Record<string, string> },
): Promise<void> {
  await migrate(ownerUrl, SOURCE_SCHEMA);
  await setLoginPasswords(ownerUrl, passwords);
  await applyDirectory(ownerUrl, testDirectory(issuerUrl));
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
