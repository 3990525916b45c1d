import { DriveBench, SOURCE } from '../black-box/drive-bench';
import { takeStep } from '../drive/drive-loop';
import { mergeStep } from '../drive/merge-step';

/** An entry of a tree: mode, name and hash. */
type Entry = readonly [mode: string, name: string, id: string];

describe('a branch with a tree that git does not write', () => {
  let bench: DriveBench;
  beforeEach(async () => (bench = await DriveBench.set()));
  afterEach(() => bench.strike());

  const blob = async (text: string) => (await bench.git.run(['hash-object', '-w', '--stdin'], text)).trim();

  /** Writes the entries as they are: `git mktree` would sort them, and refuse others. */
  async function tree(...entries: Entry[]): Promise<string> {
    const bytes = entries.map(([mode, name, id]) => [
      Buffer.from(`${mode} ${name}\0`),
      Buffer.from(id, 'hex'),
    ]);
    const write = ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'];
    return (await bench.git.try(write, Buffer.concat(bytes.flat()))).stdout.trim();
  }

  async function push(branch: string, parent: string, content: string): Promise<void> {
    const commit = await bench.git.run(['commit-tree', '-p', parent, '-m', 'Work', content]);
    await bench.git.run(['push', '--quiet', 'origin', `${commit.trim()}:refs/heads/${branch}`]);
  }

  const entriesOf = async (revision: string): Promise<Entry[]> =>
    (await bench.git.run(['ls-tree', revision]))
      .trim()
      .split('\n')
      .map((line) => {
        const [mode = '', , id = '', name = ''] = line.split(/[ \t]/);
        return [mode, name, id];
      });

  const verdict = async () => (await takeStep(bench.context(), mergeStep, bench.state())).verdict;

  const REFUSED = {
    successful: false,
    failingStep: 'merge',
    detail: `${SOURCE} cannot be merged: cannot be checked out (its folders are not as git writes them).`,
  };

  it('fails its review if git ends by an assertion, and holds no queue', async () => {
    const kept = await entriesOf('main');
    await push(SOURCE, 'main', await tree(...kept, ['100644', 'zz/file', await blob('x')]));
    expect(await verdict()).toEqual(REFUSED);
  });

  it('fails it as well for a submodule at no commit', async () => {
    const kept = await entriesOf('main');
    await push(SOURCE, 'main', await tree(...kept, ['160000', 'zz', '0'.repeat(40)]));
    expect(await verdict()).toEqual(REFUSED);
  });

  it('fails it if git would take back a change of the target for the order of its files', async () => {
    const kept = await entriesOf('main');
    await push(SOURCE, 'main', await tree(['100644', 'zz', await blob('x')], ...kept.toReversed()));
    await bench.moveTarget({ 'README.md': 'changed\n' });
    expect(await verdict()).toEqual(REFUSED);
  });

  it('is not blamed if the target has such a tree, and git merges nothing onto it', async () => {
    const kept = await entriesOf('main');
    await push('main', 'main', await tree(...kept, ['100644', 'zz/file', await blob('x')]));
    await push(SOURCE, 'main', await tree(...kept, ['100644', 'zz', await blob('y')]));
    await expect(verdict()).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });

  it('fails its review by the content if no file shows the order', async () => {
    const kept = await entriesOf('main');
    const empty = ['40000', 'zz', await tree()] as const;
    await push(SOURCE, 'main', await tree(empty, ...kept, ['100644', 'zzz', await blob('x')]));
    await bench.moveTarget({ 'README.md': 'changed\n' });
    expect(await verdict()).toMatchObject({
      successful: false,
      failingStep: 'merge',
      detail: expect.stringMatching(/is not the merge of .*: DIVERGENT .*Nothing was pushed\.$/) as unknown,
    });
  });
});
