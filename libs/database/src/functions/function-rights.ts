import type { Client } from 'pg';
import type { FunctionFile } from './function-files';
import { asGuest, ownerOf } from './replace-functions';

interface Right {
  /** The file of the function. */
  name: string;
  function: string;
  owner: string;
  isOwner: boolean;
  reset: string;
}

/**
 * Gives the functions of the files, as far as they are there, to the roles that must own them. It takes back every grant save
 * that of the owner.
 */
export async function resetRights(
  client: Client,
  files: readonly FunctionFile[],
  owners: ReadonlyMap<string, string>,
): Promise<void> {
  const wanted = files.flatMap((file) =>
    file.functions.map((made) => ({ name: file.name, made, owner: ownerOf(file, owners) })),
  );
  const { rows } = await client.query<Right>(RIGHTS, [JSON.stringify(wanted)]);
  const fileOf = new Map(files.map((file) => [file.name, file]));
  for (const right of rows) if (!right.isOwner) await giveToOwner(client, right, fileOf.get(right.name)!);
  if (rows.length > 0) await client.query(rows.map(({ reset }) => reset).join(';'));
}

/** The rights of each function of a name, and the statements that reset its grants. */
const RIGHTS = `
  SELECT w.name, p.oid::regprocedure::text AS function, w.owner, p.proowner = w.owner::regrole AS "isOwner",
         format('GRANT EXECUTE ON ROUTINE %1$s TO %2$s; REVOKE ALL ON ROUTINE %1$s FROM PUBLIC%3$s CASCADE',
                p.oid::regprocedure, w.owner,
                (SELECT string_agg(DISTINCT ', ' || a.grantee::regrole, '') FROM aclexplode(p.proacl) AS a
                  WHERE a.grantee NOT IN (0, p.proowner, w.owner::regrole))) AS reset
    FROM jsonb_to_recordset($1) AS w (name text, made text, owner text)
    JOIN pg_namespace n ON n.nspname = split_part(w.made, '.', 1)
    JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = split_part(w.made, '.', 2)`;

async function giveToOwner(client: Client, right: Right, file: FunctionFile): Promise<void> {
  const give = `ALTER ROUTINE ${right.function} OWNER TO ${right.owner}`;
  await client.query(file.owner === undefined ? give : asGuest(give, file.schema, right.owner));
}
