import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench, SOURCE } from '../black-box/drive-bench';
import { removeTree } from '../git/remove-tree';
import { commandGate } from './command-gate';
import { takeStep } from './drive-loop';
import type { GateOutcome } from './gate';
import { keepFiles } from './gate-files';
import { gateStep } from './gate-step';
import { mergeStep } from './merge-step';

const RUN_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12';

describe('what a gate leaves of its worktree', () => {
  let bench: DriveBench;
  beforeEach(async () => {
    bench = await DriveBench.set();
    bench.platform.answer('POST /v1/gate-runs', { body: { gateRunId: RUN_ID } });
    bench.platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
    await bench.checkout.commit(
      { '.gitignore': '*.out\n', 'src/app.txt': 'one\n', 'src/b.txt': 'one\n' },
      'App',
    );
    await bench.checkout.git('push', '--quiet', 'origin', 'main');
    await bench.checkout.branch(SOURCE, { 'src/app.txt': 'two\n' });
  });
  afterEach(async () => {
    await removeTree(bench.worktree);
    await bench.strike();
  });

  const merge = () => takeStep(bench.context(), mergeStep, bench.state());

  /** Drives a merge through a gate that does something to the worktree. */
  async function gateAfter(change: () => Promise<unknown>, outcome: GateOutcome) {
    const run = async () => {
      await change();
      return outcome;
    };
    return takeStep(
      bench.context({ gate: { plan: () => Promise.resolve('gate'), run } }),
      gateStep,
      await merge(),
    );
  }

  const remove = () => rm(bench.worktree, { recursive: true });
  const replaceByFile = async () => {
    await remove();
    await writeFile(bench.worktree, '');
  };
  const replaceByLink = async () => {
    await rm(`${bench.worktree}-elsewhere`, { recursive: true, force: true });
    await rename(bench.worktree, `${bench.worktree}-elsewhere`);
    await symlink(`${bench.worktree}-elsewhere`, bench.worktree);
  };

  it.each<[string, () => Promise<unknown>]>([
    ['removed it', remove],
    ['put a file in its place', replaceByFile],
    ['put a link in its place', replaceByLink],
  ])('does not hold the queue if the gate %s, whatever its verdict', async (_what, change) => {
    const failed = await gateAfter(change, { successful: false, detail: 'no' });
    expect(failed.verdict).toEqual({ successful: false, detail: 'no', failingStep: 'gate' });
    const passed = await gateAfter(change, { successful: true });
    expect(passed.verdict).toMatchObject({
      successful: false,
      failingStep: 'gate: it passed and moved the checkout',
    });
    expect((await merge()).merge?.mergeCommit).toBeDefined();
  });

  it('does not hold the queue if the gate closed the worktree, or a folder in it', async () => {
    const close = (mode: number, folder: string) => () => chmod(join(bench.worktree, folder), mode);
    expect((await gateAfter(close(0, '.'), { successful: true })).verdict).toEqual({ successful: true });
    expect((await gateAfter(close(0o500, 'src'), { successful: false })).verdict?.successful).toBe(false);
    expect((await merge()).merge?.mergeCommit).toBeDefined();
  });

  it.each([0, 0o500])(
    'does not hold the queue if a merge lands whose gate closed a folder: %o',
    async (mode) => {
      const state = await gateAfter(() => chmod(join(bench.worktree, 'src'), mode), { successful: true });
      await keepFiles(bench.context(), state);
      const { mergeCommit = '' } = state.merge ?? {};
      await bench.git.run(['push', '--quiet', 'origin', `${mergeCommit}:refs/heads/main`]);
      await bench.checkout.branch('feature/2', { 'src/b.txt': 'three\n' });
      const review = { ...bench.state().review, sourceBranch: 'feature/2' };
      const next = await takeStep(bench.context(), mergeStep, bench.state({ review }));
      expect(await bench.inWorktree('show', `${next.merge?.mergeCommit}:src/b.txt`)).toBe('three');
      expect(await readFile(join(bench.worktree, 'src', 'b.txt'), 'utf8')).toBe('three\n');
    },
  );

  it('does not make the command of the gate one that cannot be run on the target either', async () => {
    await bench.checkout.git('switch', '--quiet', SOURCE);
    await bench.checkout.commit({ hold: '' }, 'Hold');
    await bench.checkout.git('push', '--quiet', 'origin', SOURCE);
    const gate = commandGate(
      'test ! -e left.out || exit 127; test ! -e hold || { touch left.out; exit 127; }',
    );
    const { verdict } = await takeStep(bench.context({ gate }), gateStep, await merge());
    expect(verdict).toMatchObject({ successful: false, failingStep: 'gate' });
  });

  it('does not keep the merge of a branch from being made by a name that git does not list as it is', async () => {
    const name = 'first\nsecond.out';
    await bench.checkout.git('switch', '--quiet', SOURCE);
    await writeFile(join(bench.checkout.folder, name), 'theirs\n');
    await bench.checkout.git('add', '--force', name);
    await bench.checkout.git('commit', '--quiet', '-m', 'Output');
    await bench.checkout.git('push', '--quiet', 'origin', SOURCE);
    await bench.git.run(['checkout', '--quiet', '--detach', 'main']);
    await mkdir(bench.worktree, { recursive: true });
    await writeFile(join(bench.worktree, name), 'built\n');
    expect((await merge()).merge?.mergeCommit).toBeDefined();
  });
});
