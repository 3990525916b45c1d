import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DriveBench } from '../black-box/drive-bench';
import type { Git } from '../git/git';
import { resetKilledCheckout } from '../worktree/killed-checkout';
import { renewWorktree } from '../worktree/renew-worktree';
import { tidyWorktree } from './tidy-worktree';

/** git that answers so many calls, as for a drive that is killed then. */
function killedAfter(calls: number, git: Git): Git {
  let left = calls;
  const unlessKilled =
    <Args extends unknown[], Answer>(run: (...args: Args) => Promise<Answer>) =>
    (...args: Args) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('killed')) : run(...args);
    };
  return {
    ...git,
    run: unlessKilled(git.run),
    try: unlessKilled(git.try),
    bytes: unlessKilled(git.bytes),
  };
}

describe('a drive that was killed while it renewed its worktree', () => {
  let bench: DriveBench;
  beforeEach(async () => (bench = await DriveBench.set()));
  afterEach(() => bench.strike());

  /** Renews a worktree with files of a gate, is killed after so many calls of git, and drives again. */
  async function driveAgain(calls: number) {
    const { git, worktree, notes } = bench;
    await git.run(['checkout', '--quiet', '--detach', 'main']);
    await mkdir(join(worktree, 'of-gate'), { recursive: true });
    await writeFile(join(worktree, 'of-gate', 'left'), '');
    const renewed = await renewWorktree(killedAfter(calls, git), (line) => notes.push(line)).then(
      () => true,
      ({ message }: Error) => message !== 'killed',
    );
    await resetKilledCheckout(git, (line) => notes.push(line));
    await tidyWorktree(bench.context());
    return renewed;
  }

  it('checks its files out again, and stashes none as changes of a gate, whenever it was killed', async () => {
    let calls = 0;
    for (; !(await driveAgain(calls)); calls += 1) {
      expect(await bench.inWorktree('status', '--porcelain')).toBe('');
      expect(await readFile(join(bench.worktree, 'README.md'), 'utf8')).not.toBe('');
      expect(await bench.checkout.git('stash', 'list')).toBe('');
    }
    expect(calls).toBeGreaterThan(3);
    expect(bench.notes.join('\n')).not.toContain('A gate changed files');
    const siblings = await readdir(dirname(bench.worktree));
    expect(siblings.filter((name) => name.startsWith(`${basename(bench.worktree)}.old-`))).toEqual([]);
  });
});
