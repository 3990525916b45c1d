import { startCluster } from '@plat/embedded';
import { migrate } from '@plat/database';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { FUNCTIONS, GRANTS, INDEXES, OWNERS, POLICIES, ROLES, SCHEMAS, TABLES, TRIGGERS } from './catalogue';
import { readLogins } from './logins';

const HEAD = `-- The schema after all migrations. Written by \`npm run generate\` from the catalogue of a database that
-- \`npm run db -- migrate\` made: for reading and reviewing, not for running. Monthly partitions are left out.
`;

/** What is written down of the catalogue. */
export interface CatalogueTexts {
  schema: string;
  logins: string;
}

/** Migrates a database of its own and reads schema and logins back out of its catalogue, in a stable order. */
export async function readCatalogue(root: string): Promise<CatalogueTexts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-schema-'));
  const cluster = await startCluster({ dataDir, durable: false });
  try {
    await migrate(cluster.url(), { migrationsDir: join(root, 'libs', 'database', 'migrations') });
    const client = new Client({ connectionString: cluster.url() });
    await client.connect();
    try {
      return { schema: await readSchema(client), logins: await readLogins(client) };
    } finally {
      await client.end();
    }
  } finally {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function readSchema(client: Client): Promise<string> {
  const parts = [HEAD, await statements(client, ROLES)];
  const schemas = await client.query<{ schema: string; statement: string }>(SCHEMAS);
  for (const { schema, statement } of schemas.rows) {
    parts.push(`\n--\n-- ${schema}\n--\n`, statement);
    for (const sql of [TABLES, INDEXES, OWNERS, POLICIES, FUNCTIONS, OWNERS, TRIGGERS, GRANTS]) {
      parts.push(await statements(client, sql, [schema]));
    }
  }
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

async function statements(client: Client, sql: string, args: string[] = []): Promise<string> {
  const { rows } = await client.query<{ statement: string }>(sql, args);
  return rows.map(({ statement }) => statement).join('\n');
}
