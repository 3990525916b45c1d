import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench, SOURCE } from '../black-box/drive-bench';
import { takeStep } from './drive-loop';
import type { DriveState } from './drive-state';
import type { GateOutcome, GateRun } from './gate';
import { gateStep } from './gate-step';
import { mergeStep } from './merge-step';

const RUN_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12';
const RUN = `/v1/gate-runs/${RUN_ID}`;

describe('the gate of a drive', () => {
  let bench: DriveBench;
  let merged: DriveState;
  beforeEach(async () => {
    bench = await DriveBench.set();
    await bench.checkout.commit({ 'app.out': 'theirs\n' }, 'Output');
    await bench.checkout.git('push', '--quiet', 'origin', 'main');
    await bench.checkout.branch(SOURCE, { '.gitignore': '*.out\n', 'app.out': undefined });
    bench.platform.answer('POST /v1/gate-runs', { body: { gateRunId: RUN_ID } });
    bench.platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
    bench.platform.answer(`PATCH ${RUN}`, ({ body }) => ({ body }));
    merged = await takeStep(bench.context(), mergeStep, bench.state());
  });
  afterEach(() => bench.strike());

  const write = (file: string) => writeFile(join(bench.worktree, file), 'built\n');
  const gated = (run: (gate: GateRun) => Promise<GateOutcome>, state = merged) =>
    takeStep(bench.context({ gate: { plan: () => Promise.resolve('gate'), run } }), gateStep, state);
  const passes = () => Promise.resolve({ successful: true });
  const started = () => bench.platform.to('POST /v1/gate-runs').length;

  it('keeps its gate run if it is run again', async () => {
    let during: DriveState | undefined;
    const killed = gated(async () => {
      during = await bench.stateFile.read();
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    expect(during).toMatchObject({ gateRunId: RUN_ID });
    bench.platform.answer(`GET ${RUN}`, { body: { verdict: 'RUNNING' } });
    expect((await gated(passes, during)).gateRunId).toBe(RUN_ID);
    expect(started()).toBe(1);
  });

  it('keeps a commit that was made in the worktree, so that no branch holds the queue by one', async () => {
    await gated(async () => {
      await bench.inWorktree('commit', '--quiet', '--allow-empty', '-m', 'Mine');
      return { successful: false };
    });
    const kept = await bench.checkout.git('for-each-ref', '--format=%(subject)', 'refs/plat/left');
    expect(kept).toBe('Mine');
    expect(bench.notes).toContainEqual(
      expect.stringMatching(/branch of them: git branch kept-\w{12} \w{40}$/),
    );
    // The next merge is made in the same worktree.
    expect((await takeStep(bench.context(), mergeStep, bench.state())).merge?.mergeCommit).toBeDefined();
  });

  it('can check out the target alone, whatever a gate left in the worktree', async () => {
    const looked: string[] = [];
    await gated(async ({ git, checkOutTarget }) => {
      await write('app.out');
      await write('README.md');
      await write('.git');
      await bench.git.run(['commit', '--quiet', '--allow-empty', '-m', 'Mine']);
      await checkOutTarget();
      looked.push((await git.run(['rev-parse', 'HEAD'])).trim());
      looked.push(await readFile(join(bench.worktree, 'app.out'), 'utf8'));
      await git.run(['checkout', '--quiet', '--detach', merged.merge?.mergeCommit ?? '']);
      return { successful: true };
    });
    expect(looked).toEqual([merged.merge?.targetCommit, 'theirs\n']);
  });
});
