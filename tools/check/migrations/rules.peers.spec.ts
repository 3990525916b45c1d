/** @peers squawk */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { execFile, peer } from '@plat/testing';

/** The rules that a file of these statements breaks. */
async function rulesBrokenBy(sql: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-migration-'));
  const file = join(folder, '0999_some.sql');
  await writeFile(file, sql);
  const output = await new Promise<string>((resolve) => {
    const args = ['--config', join(workspaceRoot(), '.squawk.toml'), '--reporter', 'json', file];
    // It ends with 1 if it finds anything.
    execFile(peer('squawk'), args, (_error, stdout) => resolve(stdout));
  });
  await rm(folder, { recursive: true });
  return (JSON.parse(output) as { rule_name: string }[]).map(({ rule_name: rule }) => rule);
}

describe('the linter of migrations, by .squawk.toml', () => {
  it.each([
    ['ban-drop-column', 'ALTER TABLE reviews.reviews DROP COLUMN name;'],
    ['ban-drop-function', 'DROP FUNCTION reviews.advance(uuid, text, text, boolean, text);'],
    ['ban-drop-table', 'DROP TABLE reviews.comments;'],
    ['ban-drop-trigger', 'DROP TRIGGER judge ON reviews.reviews;'],
    ['renaming-column', 'ALTER TABLE reviews.reviews RENAME COLUMN name TO title;'],
    ['renaming-object', 'ALTER FUNCTION reviews.advance(uuid, text) RENAME TO promote;'],
    ['changing-column-type', 'ALTER TABLE reviews.reviews ALTER COLUMN name TYPE varchar(10);'],
    ['adding-not-nullable-field', 'ALTER TABLE reviews.reviews ALTER COLUMN name SET NOT NULL;'],
    ['require-concurrent-index-creation', 'CREATE INDEX i ON reviews.reviews (name);'],
    ['require-concurrent-partition-detach', 'ALTER TABLE audit.audit_events DETACH PARTITION audit.some;'],
    ['ban-new-write-restriction', 'ALTER TABLE reviews.reviews ADD CONSTRAINT c CHECK (name > 1) NOT VALID;'],
    ['require-table-schema', 'CREATE TABLE somewhere (id bigint);'],
  ])('finds %s', async (rule, sql) => {
    expect(await rulesBrokenBy(sql)).toContain(rule);
  });

  it('finds nothing in a new table, a new function, and a column without a default', async () => {
    const sql = `CREATE TABLE reviews.more (id bigint PRIMARY KEY, name text CHECK (name > ''));
ALTER TABLE reviews.reviews ADD COLUMN more text;
CREATE OR REPLACE FUNCTION reviews.one() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
REVOKE ALL ON FUNCTION reviews.one() FROM PUBLIC;`;
    expect(await rulesBrokenBy(sql)).toEqual([]);
  });
});
