import { DriveBench, SOURCE } from '../black-box/drive-bench';
import { takeStep } from '../drive/drive-loop';
import { mergeStep } from '../drive/merge-step';
import { findTooManyPatterns } from './pattern-files';

describe('a branch of a few kilobytes with a million patterns for its files', () => {
  let bench: DriveBench;
  beforeEach(async () => (bench = await DriveBench.set()));
  afterEach(() => bench.strike());

  const makeTree = async (entries: string) => (await bench.git.run(['mktree'], entries)).trim();
  const times = (count: number, entry: string) =>
    makeTree(Array.from({ length: count }, (_, at) => `${entry}\tf${at}\n`).join(''));
  const writeFile = async (text: string) =>
    (await bench.git.run(['hash-object', '-w', '--stdin'], text)).trim();
  async function commitTree(more: string): Promise<string> {
    const tree = await makeTree((await bench.git.run(['ls-tree', 'main'])) + more);
    return (await bench.git.run(['commit-tree', '-p', 'main', '-m', 'Patterns', tree])).trim();
  }
  /** Adds a folder of 2,500 files, and the file of patterns. */
  async function commitPatterns(name: string, patterns: number): Promise<string> {
    const inner = await times(100, `100644 blob ${await writeFile('x')}`);
    const outer = await times(25, `040000 tree ${inner}`);
    const listed = await writeFile('*a*b*c*d x\n'.repeat(patterns));
    return commitTree(`040000 tree ${outer}\tmany\n100644 blob ${listed}\t${name}\n`);
  }

  it.each(['.gitattributes', '.gitignore'])(
    'in %s fails its review at once, and holds no queue',
    async (name) => {
      const source = await commitPatterns(name, 1_000_000);
      await bench.git.run(['push', '--quiet', 'origin', `${source}:refs/heads/${SOURCE}`]);
      const { verdict } = await takeStep(bench.context(), mergeStep, bench.state());
      expect(verdict).toMatchObject({
        successful: false,
        failingStep: 'merge',
        detail: expect.stringContaining('it adds 11000000 bytes of patterns') as unknown,
      });
    },
  );

  it('is not one with some thousand patterns, nor one that only moves or removes them', async () => {
    const [few, many] = [
      await commitPatterns('.gitignore', 10_000),
      await commitPatterns('.gitignore', 1_000_000),
    ];
    for (const [onto, source] of [
      ['main', few],
      [many, 'main'],
      [many, await commitPatterns('.gitattributes', 1_000_000)],
    ] as const) {
      expect(await findTooManyPatterns(bench.git, { onto, source })).toBeUndefined();
    }
  });

  it('is not one with many patterns in folders of a few files, such as those of vendored packages', async () => {
    const inner = await times(100, `100644 blob ${await writeFile('x')}`);
    const many = await times(250, `040000 tree ${inner}`);
    const listed = await writeFile('*a*b*c*d x\n'.repeat(100_000));
    const folder = await makeTree(
      `100644 blob ${listed}\t.gitignore\n100644 blob ${await writeFile('x')}\tone\n`,
    );
    const apart = await commitTree(`040000 tree ${many}\tmany\n040000 tree ${folder}\tvendor\n`);
    expect(await findTooManyPatterns(bench.git, { onto: 'main', source: apart })).toBeUndefined();
    const above = await commitTree(`040000 tree ${many}\tmany\n100644 blob ${listed}\t.gitignore\n`);
    expect(await findTooManyPatterns(bench.git, { onto: 'main', source: above })).toMatchObject({
      reason: 'unusable',
    });
  });
});
