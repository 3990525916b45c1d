import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn, trackedFiles } from './changed/git-changes.mjs';
import { tableOf } from './table.mjs';
import { tiers } from './tiers.mjs';
import { readTimes, recordTimes } from './times.mjs';

const files: string[] = trackedFiles(gitIn(join(__dirname, '..', '..')));

it('puts each spec that needs only what npm installs into one tier, and no other file', () => {
  const others = /\.(?:peers|cluster)\.spec\.ts$/;
  const wrong = files.filter((file) => {
    const count = Object.values(tiers).filter(({ has }) => has(file)).length;
    return count !== (/\.spec\.ts$/.test(file) && !others.test(file) ? 1 : 0);
  });
  expect(wrong).toEqual([]);
});

it('has no snapshots whose spec is gone', () => {
  const stale = files.filter((file) => file.endsWith('.snap')).map(specOfSnapshot);
  expect(stale.filter((file) => !files.includes(file))).toEqual([]);
});
const specOfSnapshot = (file: string) => file.replace('__snapshots__/', '').replace(/\.snap$/, '');

it.each(Object.values(tiers))('runs in $command the specs of its tier alone', async ({ config, has }) => {
  const { testMatch, testPathIgnorePatterns } = (await import(join(__dirname, '..', '..', config))) as {
    testMatch: string[];
    testPathIgnorePatterns: string[];
  };
  const ignored = testPathIgnorePatterns.map((pattern) => new RegExp(pattern));
  const endings = testMatch.map((pattern) => pattern.slice(pattern.lastIndexOf('*') + 1));
  const run = files.filter(
    (file) =>
      endings.some((ending) => file.endsWith(ending)) && !ignored.some((pattern) => pattern.test(`/${file}`)),
  );
  expect(run).toEqual(files.filter(has));
});

describe('the table', () => {
  const times = {
    'a.spec.ts': { tests: 3, seconds: 1.4 },
    'b.db.spec.ts': { tests: 4, seconds: 2 },
    'c.long.spec.ts': { tests: 1, seconds: 90 },
  };

  it('adds up the files, tests and seconds of each tier', () => {
    const lines = tableOf([...Object.keys(times), 'd.peers.spec.ts', 'e.ts'], times);
    expect(lines).toEqual([
      'tier                  files  tests  seconds of its files, added up',
      'npm test                  2      7      3',
      'npm run test:long         1      1     90',
      '',
      'the slowest of npm test',
      '     2 s  b.db.spec.ts',
      '     1 s  a.spec.ts',
      '',
      'the slowest of npm run test:long',
      '    90 s  c.long.spec.ts',
    ]);
  });

  it('says how many files no run has timed', () => {
    const [, usual] = tableOf(['new.spec.ts', ...Object.keys(times)], times);
    expect(usual).toBe('npm test                  3      7      3, without 1 files that are not timed yet');
  });
});

describe('the record of times', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'plat-times-'));
    await mkdir(join(root, 'tools', 'test'), { recursive: true });
    for (const name of ['a.spec.ts', 'b.spec.ts']) await writeFile(join(root, name), '');
  });
  afterEach(() => rm(root, { recursive: true }));
  const result = { passing: 2, failing: 0, seconds: 1.26 };

  it('keeps what other runs recorded, and forgets files that are gone', async () => {
    await recordTimes(root, [{ ...result, file: 'a.spec.ts' }]);
    await recordTimes(root, [
      { ...result, file: 'b.spec.ts', seconds: 4 },
      { ...result, file: 'gone.spec.ts' },
    ]);
    expect(await readTimes(root)).toEqual({
      'a.spec.ts': { tests: 2, seconds: 1.3 },
      'b.spec.ts': { tests: 2, seconds: 4 },
    });
  });

  it('takes no time of a file in which a test failed, or none ran', async () => {
    await recordTimes(root, [
      { ...result, file: 'a.spec.ts', failing: 1 },
      { ...result, file: 'b.spec.ts', passing: 0 },
    ]);
    expect(await readFile(join(root, 'tools', 'test', 'times.json'), 'utf8')).toBe('{\n\n}\n');
  });
});
