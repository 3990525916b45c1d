import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench, SOURCE } from '../black-box/drive-bench';
import { gitLike } from '../git/git';
import { takeStep } from './drive-loop';
import { mergeStep } from './merge-step';
import { tidyWorktree } from './tidy-worktree';

/** git writes a `.git` that leads here, and leaves it after it has removed the clone. */
const DEAD = 'modules/nested';

describe('a submodule whose `.git` leads to no repository', () => {
  let bench: DriveBench;
  beforeEach(async () => (bench = await DriveBench.set()));
  afterEach(() => bench.strike());

  /** Pushes a branch with two submodules, one of which git would clone into the git folder of the other. */
  async function push(): Promise<void> {
    const settings = '[protocol "file"]\n\tallow = always\n[submodule]\n\tactive = .\n';
    await appendFile(join(bench.home, '.gitconfig'), settings);
    const commit = (await bench.commit('main')).trim();
    const named = (name: string, path: string) =>
      `[submodule "${name}"]\n\tpath = ${path}\n\turl = ${bench.checkout.origin}\n`;
    const { checkout } = bench;
    await checkout.git('switch', '--quiet', '--create', SOURCE, 'main');
    for (const path of ['one', 'two']) {
      await checkout.git('update-index', '--add', '--cacheinfo', `160000,${commit},${path}`);
    }
    await writeFile(
      join(checkout.folder, '.gitmodules'),
      `${named('a/modules/b', 'one')}${named('a', 'two')}`,
    );
    await checkout.git('add', '.gitmodules');
    await checkout.git('commit', '--quiet', '-m', 'Two');
    await checkout.git('push', '--quiet', 'origin', SOURCE);
  }

  it('fails the review of the branch that brings it, and the worktree can be used afterwards', async () => {
    await push();
    const git = gitLike(bench.git, undefined, { HOME: bench.home, GIT_CONFIG_GLOBAL: undefined });
    const { verdict } = await takeStep(bench.context({ git }), mergeStep, bench.state());
    expect(verdict).toMatchObject({
      failingStep: 'merge',
      detail: expect.stringContaining('submodule') as unknown,
    });
    await tidyWorktree(bench.context({ git }));
    expect(await bench.inWorktree('status', '--porcelain')).toBe('');
  });

  it('has the worktree made again if an earlier run left it', async () => {
    await push();
    await bench.inWorktree('checkout', '--quiet', '--detach', SOURCE);
    const own = (await bench.git.run(['rev-parse', '--absolute-git-dir'])).trim();
    await mkdir(join(own, DEAD), { recursive: true });
    await writeFile(join(bench.worktree, 'two', '.git'), `gitdir: ${join(own, DEAD)}\n`);
    await tidyWorktree(bench.context());
    expect(await bench.inWorktree('status', '--porcelain')).toBe('');
  });
});
