import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONCURRENT_INDEXES } from './concurrent-indexes';
import { SOURCE_MIGRATIONS } from './migrate';

const { migrationsDir } = SOURCE_MIGRATIONS;
/** The first file that the rule about indexes holds for; earlier files had landed before the rule. */
const FIRST = '0020';
/** The indexes that a migration makes on tables that it does not make itself. */
function indexesOfOthers(sql: string): string[] {
  const made = [...sql.matchAll(/CREATE TABLE (\S+)/g)].map(([, table]) => table);
  return [...sql.matchAll(/CREATE (?:UNIQUE )?INDEX (\S+)\s+ON (\S+)/g)]
    .filter(([, , table]) => !made.includes(table))
    .map(([, name]) => name!);
}

/** The first file whose functions, views and tables are commented where they are made. */
const FIRST_COMMENTED = '0048';
const MADE =
  /CREATE (?:OR REPLACE )?(FUNCTION|PROCEDURE|VIEW|TABLE|TYPE)(?: IF NOT EXISTS)? ([a-z_]+\.[a-z_]+)/g;
/** The objects that a migration makes or replaces without a COMMENT ON. A replaced one would keep its old comment. */
function uncommented(sql: string): string[] {
  const text = sql.replace(/^\s*--.*$/gm, '');
  return [...text.matchAll(MADE)]
    .map(([, kind, name]) => `${kind} ${name}`)
    .filter((made) => !new RegExp(`COMMENT ON ${made.replace('.', '\\.')}\\b`).test(text));
}

describe('the dump of the schema', () => {
  it('names no month, so that it is the same in every one', () => {
    const folder = join(migrationsDir, '../schema');
    const dump = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('');
    expect(dump).toContain('PARTITION BY');
    expect(dump.match(/_[0-9]{4}_[0-9]{2}\b.*/g)).toBeNull();
  });
});

describe('a migration', () => {
  const files = readdirSync(migrationsDir).filter((file) => file.endsWith('.sql') && file > FIRST);

  it.each(files)('makes no index on a table that may be large by then: %s', (file) => {
    expect(indexesOfOthers(readFileSync(join(migrationsDir, file), 'utf8'))).toEqual([]);
  });

  it.each(files.filter((file) => file > FIRST_COMMENTED))('says what its objects do: %s', (file) => {
    expect(uncommented(readFileSync(join(migrationsDir, file), 'utf8'))).toEqual([]);
  });

  it('is reported if it replaces a function without a comment', () => {
    const sql = `CREATE OR REPLACE FUNCTION a.one(x int) RETURNS int LANGUAGE sql RETURN x;
-- CREATE FUNCTION a.none()
CREATE TABLE a.two (x int);
COMMENT ON TABLE a.two IS 'Two.';
CREATE FUNCTION a.tw() RETURNS int LANGUAGE sql RETURN 2;
-- COMMENT ON FUNCTION a.tw IS 'Not said.';`;
    expect(uncommented(sql)).toEqual(['FUNCTION a.one', 'FUNCTION a.tw']);
  });

  it('is reported if it makes an index on a table that it does not make', () => {
    const sql =
      'CREATE TABLE a.new (x int);\nCREATE INDEX one ON a.new (x);\nCREATE UNIQUE INDEX two\n  ON a.old (x);';
    expect(indexesOfOthers(sql)).toEqual(['two']);
  });

  it('leaves those indexes to CONCURRENT_INDEXES, where no name occurs twice', () => {
    const names = CONCURRENT_INDEXES.map(({ table, name }) => `${table.split('.')[0]}.${name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});
