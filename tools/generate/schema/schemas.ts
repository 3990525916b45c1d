import type { Client } from 'pg';
import {
  FUNCTIONS,
  GRANTS,
  INDEXES,
  OWNERS,
  POLICIES,
  ROLES,
  SCHEMAS,
  TABLES,
  TRIGGERS,
  TYPES,
} from './catalogue';
import { describe, type Described } from './describe';

/** The parts of a schema's file, in order. */
const PARTS = [TABLES, TYPES, INDEXES, POLICIES, FUNCTIONS, OWNERS, TRIGGERS, GRANTS];

/** Each schema as it stands after all migrations, and the roles of the cluster; by file name. */
export async function readSchemas(client: Client): Promise<Record<string, string>> {
  const files = { 'roles.sql': textOf('The roles', [await statements(client, ROLES)]) };
  const { rows } = await client.query<Described & { schema: string }>(SCHEMAS);
  for (const { schema, ...creation } of rows) {
    const parts = [describe(creation)];
    for (const sql of PARTS) parts.push(await statements(client, sql, [schema]));
    Object.assign(files, { [`${schema}.sql`]: textOf(`The schema ${schema}`, parts) });
  }
  return files;
}

function textOf(subject: string, parts: string[]): string {
  const head = `-- ${subject} after all migrations. Written by \`npm run generate\` from the catalogue of a database that
-- \`npm run db -- migrate\` made: for reading and reviewing, not for running. Partitions are left out.
`;
  return `${[head, ...parts].filter((part) => part !== '').join('\n')}\n`;
}

async function statements(client: Client, sql: string, args: string[] = []): Promise<string> {
  const { rows } = await client.query<Described>(sql, args);
  return rows.map(describe).join('\n');
}
