import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/** The registry of the client's errors. No project may import an app, so it is read as source. */
export const REGISTRY = 'apps/plat/src/error-codes';
/** The table of the registry that names the others, with their titles. */
const TABLES = 'CLIENT_ERRORS';

/** Codes with their meanings, as a page shows them together. */
export interface ErrorGroup {
  title: string;
  meanings: ReadonlyMap<string, string>;
}

/** Reads the registry, in the order of its tables. */
export async function readClientErrors(root: string): Promise<ErrorGroup[]> {
  const folder = join(root, REGISTRY);
  const names = (await readdir(folder)).filter((name) => name.endsWith('-errors.ts'));
  const sources = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const tables = new Map(sources.flatMap(tablesIn));
  return [...(tables.get(TABLES) ?? [])].map(([title, name]) => {
    const meanings = tables.get(name);
    if (meanings === undefined) throw new Error(`${TABLES} names ${name}, which no file of ${REGISTRY} has`);
    return { title, meanings };
  });
}

/** The constants of a source that are objects, each with its fields: the texts, and the names of other constants. */
function tablesIn(source: string): [string, ReadonlyMap<string, string>][] {
  const { statements } = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  return statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
    declarationList.declarations.flatMap(({ name, initializer }) => {
      const table =
        initializer && ts.isSatisfiesExpression(initializer) ? initializer.expression : initializer;
      if (table === undefined || !ts.isObjectLiteralExpression(table)) return [];
      const fields = table.properties.filter(ts.isPropertyAssignment);
      return [
        [name.getText(), new Map(fields.map((field) => [textOf(field.name), textOf(field.initializer)]))],
      ];
    }),
  );
}

const textOf = (node: ts.Node): string => (ts.isStringLiteralLike(node) ? node.text : node.getText());
