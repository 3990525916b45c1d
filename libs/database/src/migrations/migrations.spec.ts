import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCE_SCHEMA } from './migrate';

const { migrationsDir } = SOURCE_SCHEMA;

/** The indexes that a migration makes on tables that it does not make itself. */
function indexesOfOthers(sql: string): string[] {
  const made = [...sql.matchAll(/CREATE TABLE (\S+)/g)].map(([, table]) => table);
  return [...sql.matchAll(/CREATE (?:UNIQUE )?INDEX (\S+)\s+ON (\S+)/g)]
    .filter(([, , table]) => !made.includes(table))
    .map(([, name]) => name!);
}

const MADE = /CREATE (VIEW|TABLE|TYPE|SCHEMA)(?: IF NOT EXISTS)? ([a-z_.]+)(?! PARTITION)\b/g;
/** The objects that a migration makes without a COMMENT ON. */
function uncommented(sql: string): string[] {
  const text = sql.replace(/^\s*--.*$/gm, '').replace(/^DO \$\$[^]*?^\$\$;/gm, '');
  return [...text.matchAll(MADE)]
    .map(([, kind, name]) => `${kind} ${name}`)
    .filter((made) => !new RegExp(`COMMENT ON ${made.replace('.', '\\.')}\\b`).test(text));
}

/** The functions that a migration makes, which belong into files of their own. */
const functionsIn = (sql: string): string[] =>
  [...sql.matchAll(/^CREATE (?:OR REPLACE )?(?:FUNCTION|PROCEDURE) ([\w.]+)/gm)].map(([, name]) => name!);

describe('a migration', () => {
  const files = readdirSync(migrationsDir).filter((file) => file.endsWith('.sql'));

  it.each(files)('makes no index on a table that may be large by then, and no function: %s', (file) => {
    const sql = readFileSync(join(migrationsDir, file), 'utf8');
    expect([indexesOfOthers(sql), functionsIn(sql)]).toEqual([[], []]);
  });

  it.each(files)('says what its objects are: %s', (file) => {
    expect(uncommented(readFileSync(join(migrationsDir, file), 'utf8'))).toEqual([]);
  });

  it('is reported if it makes a table without a comment', () => {
    const sql = `CREATE TABLE a.one (x int);
-- CREATE TABLE a.none ()
CREATE TABLE a.two (x int);
COMMENT ON TABLE a.two IS 'Two.';
CREATE TYPE a.tw AS (x int);
-- COMMENT ON TYPE a.tw IS 'Not said.';`;
    expect(uncommented(sql)).toEqual(['TABLE a.one', 'TYPE a.tw']);
  });

  it('is reported if it makes an index on a table that it does not make, or a function', () => {
    const sql =
      'CREATE TABLE a.new (x int);\nCREATE INDEX one ON a.new (x);\nCREATE UNIQUE INDEX two\n  ON a.old (x);';
    expect(indexesOfOthers(sql)).toEqual(['two']);
    expect(functionsIn('CREATE FUNCTION a.one() RETURNS int LANGUAGE sql RETURN 1;')).toEqual(['a.one']);
  });
});
