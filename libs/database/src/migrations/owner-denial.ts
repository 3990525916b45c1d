import { Client } from 'pg';
import { settleSession } from '../connections/settle-session';
import { NOTED_SCHEMAS } from './object-facts';

const INSUFFICIENT_PRIVILEGE = '42501';
/** More statements than these are left to doctor. */
const SHOWN = 5;

/**
 * Explains why a migrate was refused, if schemas or functions belong to a role as which it may not act, such as the
 * superuser who restored a backup.
 *
 * @returns the error itself if it is about something else
 */
export async function explainDenial(ownerUrl: string, error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !isDenial(error)) return error;
  // The session that was refused may be in a failed transaction.
  const found = await findForeign(ownerUrl).catch(() => []);
  if (found.length === 0) return error;
  const owners = found.map(({ name, owner }) => `${name} belongs to ${owner}`).slice(0, SHOWN);
  const statements = found.map(({ statement }) => statement).slice(0, SHOWN);
  const more = found.length > SHOWN ? `, and so on for ${found.length - SHOWN} more` : '';
  return new Error(
    `${error.message}: ${owners.join(', ')}${more}. Let a superuser run ${statements.join('; ')}, then run migrate ` +
      'again. npm run db -- doctor names the tables with another owner',
    { cause: error },
  );
}

const isDenial = (error: Error): boolean =>
  (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE ||
  (error.cause instanceof Error && isDenial(error.cause));

interface Foreign {
  name: string;
  owner: string;
  statement: string;
}

async function findForeign(ownerUrl: string): Promise<Foreign[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await settleSession(client);
    const { rows } = await client.query<Foreign>(FOREIGN, [['migrations', ...NOTED_SCHEMAS]]);
    return rows;
  } finally {
    await client.end();
  }
}

/** Schemas first. Each goes to the role that its name says, or to the owner of the database if there is no such role. */
const FOREIGN = `
  WITH schemas AS (
    SELECT n.oid, n.nspname, n.nspowner, coalesce(r.oid, current_user::regrole::oid)::regrole AS wanted
      FROM pg_catalog.pg_namespace n LEFT JOIN pg_catalog.pg_roles r ON r.rolname = 'plat_' || n.nspname || '_owner'
     WHERE n.nspname = ANY ($1))
  SELECT 'the schema ' || quote_ident(s.nspname) AS name, s.nspowner::regrole AS owner,
         format('ALTER SCHEMA %I OWNER TO %s', s.nspname, s.wanted) AS statement
    FROM schemas s WHERE NOT pg_has_role(s.nspowner, 'MEMBER')
   UNION ALL
  SELECT * FROM (
    SELECT p.oid::regprocedure::text, p.proowner::regrole, format('ALTER ROUTINE %s OWNER TO %s', p.oid::regprocedure, s.wanted)
      FROM schemas s JOIN pg_catalog.pg_proc p ON p.pronamespace = s.oid WHERE NOT pg_has_role(p.proowner, 'MEMBER') ORDER BY 1) AS f`;
