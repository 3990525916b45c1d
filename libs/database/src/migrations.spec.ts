import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONCURRENT_INDEXES } from './concurrent-indexes';
import { SOURCE_MIGRATIONS } from './migrate';

const { migrationsDir } = SOURCE_MIGRATIONS;
/** The first file that the rule holds for; those before it had landed. */
const FIRST = '0020';
/** The indexes that a migration makes on tables that it does not make itself. */
function indexesOfOthers(sql: string): string[] {
  const made = [...sql.matchAll(/CREATE TABLE (\S+)/g)].map(([, table]) => table);
  return [...sql.matchAll(/CREATE (?:UNIQUE )?INDEX (\S+)\s+ON (\S+)/g)]
    .filter(([, , table]) => !made.includes(table))
    .map(([, name]) => name!);
}

describe('the dump of the schema', () => {
  it('names no month, so that it is the same in every one', () => {
    const dump = readFileSync(join(migrationsDir, '../schema.sql'), 'utf8');
    expect(dump).toContain('PARTITION BY');
    expect(dump.match(/_[0-9]{4}_[0-9]{2}\b.*/g)).toBeNull();
  });
});

describe('a migration', () => {
  const files = readdirSync(migrationsDir).filter((file) => file.endsWith('.sql') && file > FIRST);

  it.each(files)('makes no index on a table that may be large by then: %s', (file) => {
    expect(indexesOfOthers(readFileSync(join(migrationsDir, file), 'utf8'))).toEqual([]);
  });

  it('is seen to make one', () => {
    const sql =
      'CREATE TABLE a.new (x int);\nCREATE INDEX one ON a.new (x);\nCREATE UNIQUE INDEX two\n  ON a.old (x);';
    expect(indexesOfOthers(sql)).toEqual(['two']);
  });

  it('leaves such indexes to be made CONCURRENTLY, each under one name', () => {
    const names = CONCURRENT_INDEXES.map(({ table, name }) => `${table.split('.')[0]}.${name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});
