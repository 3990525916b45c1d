import { isPartialRun } from './partial-run.mjs';

describe('a run of tests', () => {
  it.each([
    [['-t', 'name']],
    [['-tname']],
    [['-it', 'name']],
    [['--testNamePattern=name']],
    [['--test-name-pattern', 'name']],
    [['--shard', '1/2']],
    [['--bail']],
    [['--bail=1']],
    [['-b']],
    [['--selectProjects', 'one']],
    [['--ignore-projects=one']],
    [['--projects', 'one']],
    [['apps/plat', '--bail']],
  ])('is a part of its files with %j', (args) => {
    expect(isPartialRun(args)).toBe(true);
  });

  it.each([
    [[]],
    [['apps/plat/src/bail.spec.ts']],
    [['--runTestsByPath', 'a-b.spec.ts']],
    [['-i']],
    [['--verbose', '-w', '2']],
    [['--testPathIgnorePatterns', '/tools/']],
  ])('is one of whole files with %j', (args) => {
    expect(isPartialRun(args)).toBe(false);
  });
});
