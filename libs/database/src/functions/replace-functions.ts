import { type Client, DatabaseError } from 'pg';
import type { FunctionFile } from './function-files';

/** SQLSTATEs of a schema, relation, column, type or function that does not exist. */
const MISSING = ['3F000', '42P01', '42703', '42704', '42883'];

/** SQLSTATE of a name that two functions have. */
const AMBIGUOUS = '42725';
const TWO = '. Drop the one that no file of this release makes, then run migrate again';

/** Whether it is about a lock or a deadlock, for which `withShortLocks` tries again. */
const isForAnotherTry = ({ code = '' }: DatabaseError): boolean => /^(?:40|55)/.test(code);

/** A statement of a file that failed. */
export class FunctionFault extends Error {
  constructor(
    { name, sql }: FunctionFile,
    override readonly cause: DatabaseError,
  ) {
    super(
      `functions/${name}.sql:${lineOf(sql, cause)}: ${cause.message}${cause.code === AMBIGUOUS ? TWO : ''}`,
    );
  }

  get namesMissing(): boolean {
    return MISSING.includes(this.cause.code ?? '');
  }
}

/** The position is in the file, or in a body that PostgreSQL did not find in it. */
function lineOf(sql: string, { position, internalPosition, internalQuery }: DatabaseError): number {
  const end =
    position === undefined ? sql.indexOf(internalQuery ?? '') + Number(internalPosition) : Number(position);
  return sql.slice(0, Math.max((end || 1) - 1, 0)).split('\n').length;
}

/** The owners of all schemas, by the name of the schema. */
export async function readSchemaOwners(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ schema: string; owner: string }>(
    'SELECT nspname AS schema, nspowner::regrole::text AS owner FROM pg_namespace',
  );
  return new Map(rows.map(({ schema, owner }) => [schema, owner]));
}

/** The role that owns the functions of a file. @throws Error if its schema is not there */
export function ownerOf({ name, schema, owner }: FunctionFile, owners: ReadonlyMap<string, string>): string {
  const found = owner ?? owners.get(schema);
  if (found === undefined) throw new Error(`functions/${name}.sql: there is no schema ${schema}`);
  return found;
}

/** Runs a file as the owner of its functions. A role that does not own the schema may create there for that moment. */
export async function replaceFunctions(
  client: Client,
  file: FunctionFile,
  owners: ReadonlyMap<string, string>,
): Promise<void> {
  const owner = ownerOf(file, owners);
  const found = ENDS_TRANSACTION.exec(file.sql.replaceAll(QUOTED, ''));
  if (found) {
    throw new Error(`functions/${file.name}.sql: ${found[1]} would end the transaction of all files`);
  }
  const isGuest = file.owner !== undefined;
  await client.query(`${isGuest ? grantCreate(file.schema, owner) : ''}; SET LOCAL ROLE ${owner}`);
  try {
    await client.query(file.sql);
  } catch (error) {
    throw error instanceof DatabaseError && !isForAnotherTry(error) ? new FunctionFault(file, error) : error;
  }
  await client.query(`RESET ROLE; ${isGuest ? revokeCreate(file.schema, owner) : ''}`);
}

/** Texts in which a word is no statement: bodies, literals and comments. */
const QUOTED = /(\$\w*\$)[^]*?\1|'[^']*'|--.*|\/\*[^]*?\*\//g;
const ENDS_TRANSACTION =
  /(?:^|;)\s*(COMMIT|ROLLBACK|ABORT|END|PREPARE TRANSACTION)\s*(?:;|$|WORK|TRANSACTION|AND)/i;

const grantCreate = (schema: string, role: string): string => `GRANT CREATE ON SCHEMA ${schema} TO ${role}`;
const revokeCreate = (schema: string, role: string): string =>
  `REVOKE CREATE ON SCHEMA ${schema} FROM ${role}`;

/** Lets a role create in a schema that is not its own while statements run. */
export const asGuest = (statements: string, schema: string, role: string): string =>
  `${grantCreate(schema, role)}; ${statements}; ${revokeCreate(schema, role)}`;
