import type { Client } from 'pg';
import type { FunctionFile } from './function-files';

/** The functions of a database against the files of a release. */
export interface FunctionDifferences {
  /** Files whose content was not applied. */
  pending: FunctionFile[];
  /** Files that were applied, and whose functions were changed, dropped or granted by other means since. */
  altered: FunctionFile[];
}

/**
 * Finds the functions that are not those of their files. The session's search_path must be that of `settleSession`, because
 * PostgreSQL prints names by it.
 */
export async function findDifferentFunctions(
  client: Client,
  files: readonly FunctionFile[],
): Promise<FunctionDifferences> {
  const noted = await readNotes(client);
  const made = await readMade(client, files);
  const pending = files.filter(({ name, sha256 }) => {
    const note = noted.get(name);
    return note?.sha256 !== sha256 || note.made === null;
  });
  const altered = files.filter(
    (file) => !pending.includes(file) && noted.get(file.name)!.made !== made.get(file),
  );
  return { pending, altered };
}

/** Records that files were applied, and what their functions are now. */
export async function noteFunctions(client: Client, files: readonly FunctionFile[]): Promise<void> {
  const made = await readMade(client, files);
  await client.query(
    `INSERT INTO migrations.functions (name, sha256, made)
     SELECT f.name, f.sha256, f.made FROM jsonb_to_recordset($1) AS f (name text, sha256 text, made text)
         ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, made = excluded.made`,
    [JSON.stringify(files.map((file) => ({ name: file.name, sha256: file.sha256, made: made.get(file) })))],
  );
}

interface Note {
  name: string;
  sha256: string;
  /** Null if a program noted it that did not look at the functions. */
  made: string | null;
}

async function readNotes(client: Client): Promise<Map<string, Note>> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('migrations.functions') IS NOT NULL AS there`,
  );
  if (!found[0]!.there) return new Map();
  const { rows } = await client.query<Note>(
    `SELECT f.name, f.sha256, to_jsonb(f) ->> 'made' AS made FROM migrations.functions AS f`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Describes the functions of each file by digests of their definitions, owners and grants. */
async function readMade(client: Client, files: readonly FunctionFile[]): Promise<Map<FunctionFile, string>> {
  const { rows } = await client.query<{ name: string; digest: string }>(FACTS, [
    files.flatMap(({ functions }) => functions),
  ]);
  const digests = new Map(rows.map(({ name, digest }) => [name, digest]));
  return new Map(
    files.map((file) => [file, file.functions.map((name) => digests.get(name) ?? 'missing').join(' ')]),
  );
}

/** A digest of all functions of a name. The owner of the database has no name in it, because a copy may have another one. */
const FACTS = `
  SELECT f.name, encode(sha256(convert_to(string_agg(f.facts, E'\\n' ORDER BY f.facts COLLATE "C"), 'UTF8')), 'hex') AS digest
    FROM (SELECT w.name,
                 concat_ws(E'\\n', pg_get_functiondef(p.oid),
                           CASE WHEN p.proowner = m.nspowner THEN 'owner' ELSE pg_get_userbyid(p.proowner)::text END,
                           g.grants) AS facts
            FROM unnest($1::text[]) AS w (name)
            JOIN pg_namespace n ON n.nspname = split_part(w.name, '.', 1)
            JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = split_part(w.name, '.', 2)
            JOIN pg_namespace m ON m.nspname = 'migrations',
                 LATERAL (SELECT string_agg(CASE a.grantee WHEN 0 THEN 'PUBLIC' WHEN p.proowner THEN 'owner'
                                                           ELSE pg_get_userbyid(a.grantee)::text END
                                            || CASE WHEN a.is_grantable THEN '*' ELSE '' END, ', '
                                            ORDER BY a.grantee <> 0, pg_get_userbyid(a.grantee)::text COLLATE "C") AS grants
                            FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a) AS g
           WHERE p.prokind <> 'a') AS f
   GROUP BY f.name`;
