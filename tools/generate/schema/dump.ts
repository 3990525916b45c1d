import { startCluster } from '@plat/embedded';
import { migrate } from '@plat/database';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { FUNCTIONS, GRANTS, INDEXES, OWNERS, POLICIES, ROLES, SCHEMAS, TABLES } from './catalogue';

const HEAD = `-- The schema after all migrations. Written by \`npm run generate\` from the catalogue of a database that
-- \`npm run db -- migrate\` made: for reading and reviewing, not for running. Monthly partitions are left out.
`;

/** Migrates a database of its own and reads the schema back out of its catalogue, in a stable order. */
export async function dumpSchema(root: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-schema-'));
  const cluster = await startCluster({ dataDir, durable: false });
  try {
    await migrate(cluster.url(), { migrationsDir: join(root, 'libs', 'database', 'migrations') });
    return await readSchema(cluster.url());
  } finally {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function readSchema(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const parts = [HEAD, await statements(client, ROLES)];
    const schemas = await client.query<{ schema: string; statement: string }>(SCHEMAS);
    for (const { schema, statement } of schemas.rows) {
      parts.push(`\n--\n-- ${schema}\n--\n`, statement);
      for (const sql of [TABLES, INDEXES, OWNERS, POLICIES, FUNCTIONS, OWNERS, GRANTS]) {
        parts.push(await statements(client, sql, [schema]));
      }
    }
    return `${parts.filter((part) => part !== '').join('\n')}\n`;
  } finally {
    await client.end();
  }
}

async function statements(client: Client, sql: string, args: string[] = []): Promise<string> {
  const { rows } = await client.query<{ statement: string }>(sql, args);
  return rows.map(({ statement }) => statement).join('\n');
}
