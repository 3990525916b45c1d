import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A file of SQL that makes one function, or a small family, with its comment and its grants. */
export interface FunctionFile {
  /** Its path below the folder without `.sql`, such as `reviews/advance`. */
  name: string;
  schema: string;
  /** The role that owns the functions, if it is not the owner of the schema: of `ledger/sealer`, plat_ledger_sealer. */
  owner: string | undefined;
  /** The functions that the file makes, schema-qualified, without their parameters. */
  functions: string[];
  sql: string;
  /** SHA-256 of its bytes, in hex. */
  sha256: string;
}

const MADE = /^CREATE OR REPLACE (?:FUNCTION|PROCEDURE) (\w+\.\w+)/gm;
const CALLED = /\b(\w+\.\w+)\s*\(/g;
/** PostgreSQL looks into these bodies when it makes them, so what they call must be there before. */
const IS_CHECKED = /^(?:.*\s)?LANGUAGE sql\b/im;

/** Reads the functions of a folder, each after those that PostgreSQL needs to make it. */
export async function readFunctionFiles(functionsDir: string): Promise<FunctionFile[]> {
  const paths = (await readdir(functionsDir, { recursive: true }))
    .filter((path) => path.endsWith('.sql'))
    .sort();
  return inOrder(
    await Promise.all(
      paths.map(async (path) => parseFunctionFile(path, await readFile(join(functionsDir, path), 'utf8'))),
    ),
  );
}

/** @param path below the folder of functions */
export function parseFunctionFile(path: string, sql: string): FunctionFile {
  const [schema = '', ...below] = path.split(sep);
  return {
    name: path.slice(0, -'.sql'.length).split(sep).join('/'),
    schema,
    owner: below.length > 1 ? `plat_${schema}_${below[0]}` : undefined,
    functions: [...sql.matchAll(MADE)].map(([, name]) => name!),
    sql,
    sha256: createHash('sha256').update(sql).digest('hex'),
  };
}

/**
 * Sorts files so that a function in SQL comes after the functions that it calls. The order of the others is kept.
 *
 * @throws Error if functions in SQL call each other in a circle
 */
export function inOrder(files: readonly FunctionFile[]): FunctionFile[] {
  const makers = new Map(files.flatMap((file) => file.functions.map((name) => [name, file] as const)));
  const ordered = new Set<FunctionFile>();
  const visit = (file: FunctionFile, callers: readonly FunctionFile[]): void => {
    if (ordered.has(file)) return;
    if (callers.includes(file)) {
      throw new Error(`Functions call each other: ${[...callers, file].map(({ name }) => name).join(' > ')}`);
    }
    for (const called of calledBy(file)) {
      const maker = makers.get(called);
      if (maker !== undefined && maker !== file) visit(maker, [...callers, file]);
    }
    ordered.add(file);
  };
  for (const file of files) visit(file, []);
  return [...ordered];
}

const calledBy = ({ sql }: FunctionFile): string[] =>
  IS_CHECKED.test(sql) ? [...sql.matchAll(CALLED)].map(([, name]) => name!) : [];
