import { SOURCE_SCHEMA } from '@plat/database';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { runStatus } from './commands';

describe('db status', () => {
  let test: TestDatabase;
  beforeEach(async () => (test = await createTestDatabase()));
  afterEach(() => test.drop());

  async function status(): Promise<{ same: boolean; lines: string[] }> {
    const lines: string[] = [];
    const job = { ownerUrl: test.ownerUrl, schema: SOURCE_SCHEMA, environment: {} };
    const same = await runStatus({ ...job, print: (line) => void lines.push(line) });
    return { same, lines: lines.filter((line) => !/Z {2}\w+$/.test(line)) };
  }

  it('sees no difference after the migrations', async () => {
    expect(await status()).toEqual({ same: true, lines: [] });
  });

  it.each([
    [
      'a file that is pending',
      "DELETE FROM migrations.applied WHERE name = '0008_ledger'",
      /^pending +0008_ledger$/,
    ],
    [
      'a file that was edited after it was applied',
      "UPDATE migrations.digests SET sha256 = 'x' WHERE name = '0006_releases'",
      /Z {2}0006_releases {2}\(its file was edited after it was applied\)$/,
    ],
    [
      'a function that is not that of its file',
      "UPDATE migrations.functions SET sha256 = 'x' WHERE name = 'reviews/advance'",
      /^pending +functions: reviews\/advance$/,
    ],
    [
      'a function that was changed by other means',
      'ALTER FUNCTION reviews.advance RESET search_path',
      /^altered +functions: reviews\/advance$/,
    ],
    [
      'a migration that has not ended',
      "UPDATE identity.schema_state SET version = '0007_audit+0001'",
      /^pending +the end of a migration: the schema is at 0007_audit\+0001/,
    ],
    [
      'what this release does not know',
      "INSERT INTO migrations.applied (name, run_on) VALUES ('9999_newer', now())",
      /Z {2}9999_newer {2}\(this release does not know it\)$/,
    ],
  ])('is a difference: %s', async (_, statement, line) => {
    await test.query(statement);
    expect(await status()).toEqual({ same: false, lines: [expect.stringMatching(line)] });
  });
});
