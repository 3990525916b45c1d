import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyDirectory, SOURCE_SCHEMA } from '@plat/database';
import { createTestDatabase, fillTenant, type TestDatabase, testDirectory } from '@plat/testing';
import { runDeleteTenant } from './delete-tenant';

describe('npm run db -- delete-tenant', () => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'plat-db-'))]);
    await applyDirectory(database.ownerUrl, testDirectory('https://id.example'));
    await fillTenant(database, 'acme');
  });
  afterEach(() => Promise.all([database.drop(), rm(folder, { recursive: true })]));

  async function run(...args: string[]): Promise<string[]> {
    const lines: string[] = [];
    const job = { ownerUrl: database.ownerUrl, schema: SOURCE_SCHEMA, environment: {} };
    await runDeleteTenant({ ...job, print: (line) => void lines.push(line) }, args);
    return lines;
  }
  const tenants = async () =>
    (await database.query<{ name: string }>('SELECT name FROM identity.tenants ORDER BY 1')).map(
      ({ name }) => name,
    );

  it('without --confirm prints the rows of each table, what stays outside and what must be ended, and deletes nothing', async () => {
    const text = (await run('acme')).join('\n');
    expect(text).toMatch(/would delete +1 {2}reviews\.reviews/);
    expect(text).toMatch(/would delete +3 {2}audit\.audit_events/);
    expect(text).toContain("records of its environments' public names in DNS");
    expect(text).toContain('must be ended first: the environment dev (registered): plat delete dev');
    expect(text).toContain('Nothing was deleted.');
    expect(await tenants()).toEqual(['acme', 'globex', 'ops']);
  });

  it('names the ways in which a review leaves the MERGE slot, which can not be closed there', async () => {
    await database.query(
      `SET session_replication_role = replica; UPDATE reviews.reviews SET status = 'MERGE'; RESET session_replication_role`,
    );
    const [ended] = (await run('acme')).filter((line) => line.includes('MERGE slot'));
    expect(ended).toMatch(
      /^must be ended first: the review \S+ holds the MERGE slot of \S+: land it or requeue it$/,
    );
  });

  it.each([
    ['no tenant', [], 'delete-tenant NAME'],
    ['two tenants', ['acme', 'globex'], 'delete-tenant NAME'],
    ['another name', ['acme', '--confirm', 'globex', '--no-export'], '--confirm must repeat the name: acme'],
    ['nothing about the trail', ['acme', '--confirm', 'acme'], '(--export FILE | --no-export)'],
    [
      'both about the trail',
      ['acme', '--confirm', 'acme', '--no-export', '--export', 'x'],
      '(--export FILE | --no-export)',
    ],
    ['an unknown option', ['acme', '--force'], 'delete-tenant NAME'],
    ['a tenant that is none', ['nobody'], 'There is no tenant "nobody".'],
    ['work that lives', ['acme', '--confirm', 'acme', '--no-export'], 'the environment dev (registered)'],
  ])('refuses, and deletes nothing: %s', async (_, args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
    expect(await tenants()).toEqual(['acme', 'globex', 'ops']);
  });

  it('deletes, says what has gone, and may be run again', async () => {
    await database.query('DELETE FROM environments.environments');
    const file = join(folder, 'trail.jsonl');
    const text = (await run('acme', '--confirm', 'acme', '--export', file)).join('\n');
    expect(text).toContain(`exported 3 audit events to ${file}`);
    expect(text).toMatch(/deleted +1 {2}reviews\.reviews/);
    expect(text).toMatch(/The tenant acme is deleted\.$/);
    expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(4);
    expect(await tenants()).toEqual(['globex', 'ops']);
    expect(await run('acme', '--confirm', 'acme', '--no-export')).toEqual(['There is no tenant acme.']);
  });
});
