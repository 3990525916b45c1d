import { once } from 'node:events';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench, SOURCE } from '../black-box/drive-bench';
import { readNotedGate } from '../gate/noted-gates';
import { takeStep } from './drive-loop';
import type { DriveState } from './drive-state';
import type { GateOutcome, GateRun } from './gate';
import { reportVerdict } from './gate-runs';
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
  const gated = (run: (gate: GateRun) => Promise<GateOutcome>, state = merged) =>
    takeStep(bench.context({ gate: { plan: () => Promise.resolve('gate'), run } }), gateStep, state);
  const passes = () => Promise.resolve({ successful: true });
  const started = () => bench.platform.to('POST /v1/gate-runs').length;

  it('is recorded with its verdict and its gate run', async () => {
    expect(await gated(passes)).toEqual({
      ...merged,
      gateRunId: RUN_ID,
      verdict: { successful: true },
    });
    const failing = await gated(() => Promise.resolve({ successful: false, detail: 'no' }));
    expect(failing.verdict).toEqual({ successful: false, detail: 'no', failingStep: 'gate' });
  });

  it('fails a merge that brings a project file at which each later drive would stop, whatever gates it', async () => {
    await bench.checkout.branch('feature/2-file', { '.plat/config.yaml': 'gate: [\n' });
    const review = { ...bench.state().review, sourceBranch: 'feature/2-file' };
    const merge = await takeStep(bench.context(), mergeStep, bench.state({ review }));
    const { verdict } = await gated(passes, merge);
    expect(verdict).toMatchObject({
      successful: false,
      failingStep: 'merge',
      detail: expect.stringMatching(
        /no later gate can read \(Cannot read \.plat\/config\.yaml of \w+: line 2/,
      ) as unknown,
    });
    // A target that has such a file already: the merge may be its correction, or may have nothing to do with it.
    await bench.checkout.git('push', '--quiet', 'origin', 'feature/2-file:main');
    await bench.checkout.git('switch', '--quiet', '--create', 'feature/3-other', 'feature/2-file');
    await bench.checkout.commit({ 'other.txt': 'other\n' }, 'Other');
    await bench.checkout.git('push', '--quiet', 'origin', 'feature/3-other');
    const other = { ...review, sourceBranch: 'feature/3-other' };
    const next = await takeStep(bench.context(), mergeStep, bench.state({ review: other }));
    expect((await gated(passes, next)).verdict).toEqual({ successful: true });
  });

  it('fails its review without a verdict if it does not end within its time, and is ended', async () => {
    const gateTime = { text: '1ms', milliseconds: 1 };
    const run = async ({ interrupted, output }: GateRun) => {
      output(Buffer.from('hanging\n'));
      if (!interrupted.aborted) await once(interrupted, 'abort');
      throw interrupted.reason;
    };
    const context = bench.context({ gateTime, gate: { plan: () => Promise.resolve('gate'), run } });
    const state = await takeStep(context, gateStep, merged);
    expect(state.verdict).toEqual({
      successful: false,
      undecided: 'no end within 1ms',
      failingStep: 'gate: no end within 1ms',
      detail: 'The gate did not end within 1ms, so it was ended.\nhanging',
    });
    await takeStep(context, reportVerdict, state);
    expect(bench.platform.to(`PATCH ${RUN}`).map(({ body }) => body)).toEqual([
      { verdict: 'INCONCLUSIVE', failingStep: 'gate: no end within 1ms' },
    ]);
    expect(await readNotedGate(bench.git, merged.merge?.mergeCommit ?? '')).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>, string, RegExp]>([
    [
      'changed a file',
      () => appendFile(join(bench.worktree, 'README.md'), 'more\n'),
      'gate: it passed and changed tracked files',
      /README\.md/,
    ],
    [
      'made a commit',
      () => bench.inWorktree('commit', '--quiet', '--allow-empty', '-m', 'Mine'),
      'gate: it passed and moved the checkout',
      /is on no branch at [0-9a-f]{40} now/,
    ],
    [
      'replaced the .git',
      () => writeFile(join(bench.worktree, '.git'), 'gitdir: /elsewhere\n'),
      'gate: it passed and moved the checkout',
      /replaced files by which git finds its repository/,
    ],
    [
      'hid a file from git',
      () => bench.inWorktree('update-index', '--assume-unchanged', 'README.md'),
      'gate: it passed and hid files from git',
      /README\.md/,
    ],
  ])('fails its review without a verdict if it passed and %s', async (_what, change, failingStep, said) => {
    const state = await gated(async () => {
      await change();
      return { successful: true };
    });
    expect(state.verdict).toMatchObject({
      successful: false,
      failingStep,
      detail: expect.stringMatching(said) as unknown,
    });
    await takeStep(bench.context(), reportVerdict, state);
    expect(bench.platform.to(`PATCH ${RUN}`).map(({ body }) => body)).toEqual([
      { verdict: 'INCONCLUSIVE', failingStep },
    ]);
    expect(await readNotedGate(bench.git, merged.merge?.mergeCommit ?? '')).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['changed a file', () => appendFile(join(bench.worktree, 'README.md'), 'more\n')],
    ['made a commit', () => bench.inWorktree('commit', '--quiet', '--allow-empty', '-m', 'Mine')],
    ['replaced the .git', () => writeFile(join(bench.worktree, '.git'), 'gitdir: /elsewhere\n')],
  ])('fails its review if it failed and %s, so that no branch holds the queue so', async (_what, change) => {
    const state = await gated(async () => {
      await change();
      return { successful: false, detail: 'no' };
    });
    expect(state.verdict).toEqual({ successful: false, detail: 'no', failingStep: 'gate' });
    expect((await readNotedGate(bench.git, merged.merge?.mergeCommit ?? ''))?.passed).toBe(false);
  });

  it.each<[string, Partial<DriveState>]>([
    ['has a verdict', { verdict: { successful: false, failingStep: 'merge' } }],
    ['could not be made', { merge: { targetCommit: 'a'.repeat(40) } }],
  ])('is not run for a merge that %s', async (_which, facts) => {
    const state = { ...merged, ...facts };
    expect(await gated(() => Promise.reject(new Error('run')), state)).toBe(state);
    expect(started()).toBe(0);
  });
});
