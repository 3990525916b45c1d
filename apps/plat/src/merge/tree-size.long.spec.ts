import { DriveBench, SOURCE } from '../black-box/drive-bench';
import { takeStep } from '../drive/drive-loop';
import { mergeStep } from '../drive/merge-step';

describe('a branch whose few small trees have a hundred million files', () => {
  let bench: DriveBench;
  beforeEach(async () => (bench = await DriveBench.set()));
  afterEach(() => bench.strike());

  /** A tree with ten entries, each of which is the given object. */
  const tenTimes = (type: 'blob' | 'tree', id: string) => {
    const mode = type === 'blob' ? '100644' : '040000';
    const entries = Array.from({ length: 10 }, (_, at) => `${mode} ${type} ${id}\tf${at}\n`);
    return bench.git.run(['mktree'], entries.join(''));
  };

  it('fails its review at once, and holds no queue', async () => {
    let id = (await bench.git.run(['hash-object', '-w', '--stdin'], 'x')).trim();
    for (let depth = 0; depth < 8; depth += 1) {
      id = (await tenTimes(depth === 0 ? 'blob' : 'tree', id)).trim();
    }
    const commit = ['commit-tree', '-p', 'main', '-m', 'Many', id];
    const source = (await bench.git.run(commit)).trim();
    await bench.git.run(['push', '--quiet', 'origin', `${source}:refs/heads/${SOURCE}`]);
    const { verdict } = await takeStep(bench.context(), mergeStep, bench.state());
    expect(verdict).toEqual({
      successful: false,
      failingStep: 'merge',
      detail: `${SOURCE} cannot be merged: cannot be checked out (it has far more files than the target, or folders that are too deep for git).`,
    });
  });
});

describe('a branch with a file that no machine can check out', () => {
  let bench: DriveBench;
  beforeEach(async () => (bench = await DriveBench.set()));
  afterEach(() => bench.strike());

  it.each(['dial tcp', 'connection refused'])(
    'fails its review although the folder is named %s',
    async (folder) => {
      const blob = (await bench.git.run(['hash-object', '-w', '--stdin'], 'x')).trim();
      const inner = (await bench.git.run(['mktree'], `100644 blob ${blob}\tgit~1\n`)).trim();
      const kept = await bench.git.run(['ls-tree', 'main']);
      const tree = (await bench.git.run(['mktree'], `${kept}040000 tree ${inner}\t${folder}\n`)).trim();
      const source = (await bench.git.run(['commit-tree', '-p', 'main', '-m', 'Name', tree])).trim();
      await bench.git.run(['push', '--quiet', 'origin', `${source}:refs/heads/${SOURCE}`]);
      const { verdict } = await takeStep(bench.context(), mergeStep, bench.state());
      expect(verdict).toMatchObject({
        failingStep: 'merge',
        detail: expect.stringContaining(`invalid path '${folder}/git~1'`) as unknown,
      });
    },
  );
});
