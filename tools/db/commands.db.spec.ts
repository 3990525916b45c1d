import { SOURCE_MIGRATIONS } from '@plat/database';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { runStatus } from './commands';

describe('db status', () => {
  let test: TestDatabase;
  beforeEach(async () => (test = await createTestDatabase()));
  afterEach(() => test.drop());

  async function status(): Promise<{ same: boolean; lines: string[] }> {
    const lines: string[] = [];
    const job = { ownerUrl: test.ownerUrl, migrations: SOURCE_MIGRATIONS, environment: {} };
    const same = await runStatus({ ...job, print: (line) => void lines.push(line) });
    return { same, lines: lines.filter((line) => !/Z {2}\w+$/.test(line)) };
  }

  it('sees no difference after the migrations', async () => {
    expect(await status()).toEqual({ same: true, lines: [] });
  });

  it.each([
    [
      'a file that is pending',
      "DELETE FROM migrations.applied WHERE name = '0027_schema_version'",
      /^pending +0027_schema_version$/,
    ],
    [
      'a file that was edited after it was applied',
      "UPDATE migrations.digests SET sha256 = 'x' WHERE name = '0007_releases'",
      /Z {2}0007_releases {2}\(its file was edited after it was applied\)$/,
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
