import type { Client } from 'pg';
import { LOGIN_ROLES } from '@plat/database';

const HEAD = `# What each login may do

Written by \`npm run generate\` from the catalogue of a database that \`npm run db -- migrate\` made. A function runs with
the rights of its schema's owner, who is held by row-level security to the tenant that the transaction has entered by a
proof; what seals logs, with those of plat_ledger_sealer, who sees all tenants. What that means when a service is taken over
stands in [decision 17](decisions/0017-a-login-that-is-taken-over.md).
`;

const FUNCTIONS = `
  SELECT n.nspname AS schema, array_agg(DISTINCT f.proname::text ORDER BY f.proname::text) AS names
    FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace JOIN pg_roles o ON o.oid = f.proowner
   WHERE o.rolname LIKE 'plat\\_%' AND has_function_privilege($1, f.oid, 'EXECUTE')
   GROUP BY 1 ORDER BY 1`;

const TABLES = `
  SELECT c.oid::regclass::text AS name, string_agg(p, ', ' ORDER BY p) AS privileges
    FROM pg_class c CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS p
    JOIN pg_roles o ON o.oid = c.relowner
   WHERE o.rolname LIKE 'plat\\_%\\_owner' AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
     AND (has_table_privilege($1, c.oid, p) OR p IN ('SELECT', 'INSERT', 'UPDATE') AND has_any_column_privilege($1, c.oid, p))
   GROUP BY 1 ORDER BY 1`;

/** docs/logins.md: every function that a login may execute, and every table that it may touch. */
export async function readLogins(client: Client): Promise<string> {
  const parts = [HEAD];
  for (const login of Object.values(LOGIN_ROLES)) {
    const functions = await client.query<{ schema: string; names: string[] }>(FUNCTIONS, [login]);
    const tables = await client.query<{ name: string; privileges: string }>(TABLES, [login]);
    parts.push(
      `## ${login}\n`,
      `Tables: ${tables.rows.map(({ name, privileges }) => `\`${name}\` (${privileges})`).join(', ') || 'none'}.\n`,
      ['| Schema | Functions |', '| --- | --- |', ...functions.rows.map(row)].join('\n') + '\n',
    );
  }
  return parts.join('\n');
}

const row = ({ schema, names }: { schema: string; names: string[] }): string =>
  `| \`${schema}\` | ${names.map((name) => `\`${name}\``).join(', ')} |`;
