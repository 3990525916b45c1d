import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench, REVIEW_ID, SOURCE } from '../black-box/drive-bench';
import { lines } from '../black-box/gate-checkout';
import { gitIn } from '../git/git';
import { fetchTip } from '../push/gate-refs';
import { openDriveWorktree } from '../worktree/drive-worktree';
import { takeStep } from './drive-loop';
import { dropOutdatedMerge, mergeStep } from './merge-step';

/** An origin whose refs are no files may have it. */
const LONG = `x/${'ü'.repeat(126)}`;
const RUN_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12';

describe('the merge of a drive', () => {
  let bench: DriveBench;
  beforeEach(async () => {
    bench = await DriveBench.set();
    await bench.checkout.branch(SOURCE, { 'numbers.txt': lines(1, 40, { 3: 'source' }) });
  });
  afterEach(() => bench.strike());

  const merge = () => takeStep(bench.context(), mergeStep, bench.state());
  /** Where the worktree stands, and its changes. */
  const readState = async () => [
    await bench.inWorktree('rev-parse', '--symbolic-full-name', 'HEAD'),
    await bench.inWorktree('rev-parse', 'HEAD'),
    await bench.inWorktree('status', '--porcelain'),
  ];

  it('is checked out on no branch of the worktree, and nothing of the person’s checkout moves', async () => {
    const before = await bench.checkout.everything();
    const [target, source] = [await bench.commit('main'), await bench.commit(SOURCE)];
    const state = await merge();
    const mergeCommit = await bench.inWorktree('rev-parse', 'HEAD');
    expect(state.merge).toEqual({ targetCommit: target, sourceCommit: source, mergeCommit });
    expect(await bench.inWorktree('rev-parse', 'HEAD^')).toBe(target);
    expect(await bench.inWorktree('log', '-1', '--format=%B')).toBe('Add limits');
    expect(await readState()).toEqual(['HEAD', mergeCommit, '']);
    expect(await bench.checkout.everything()).toBe(before);
  });

  it('is a failed gate with the files in conflict if it conflicts, and leaves the worktree on the target', async () => {
    const targetCommit = await bench.moveTarget({ 'numbers.txt': lines(1, 40, { 3: 'target' }) });
    const state = await merge();
    expect(state.merge).toEqual({ targetCommit, sourceCommit: await bench.commit(SOURCE) });
    expect(state.verdict).toEqual({
      successful: false,
      failingStep: 'merge',
      detail: `${SOURCE} cannot be merged: conflicts in numbers.txt.`,
    });
    expect(await readState()).toEqual(['HEAD', targetCommit, '']);
  });

  it.each([
    ['main', 'main is the target branch itself, and cannot be merged onto it.'],
    ['main/x', 'main/x cannot be merged: origin has no such branch.'],
    ['main.lock', '"main.lock" is not a branch name.'],
    [LONG, `${LONG} has a part of more than 250 bytes, so git cannot fetch it.`],
  ])(
    'is a failed gate if the source is %s, so that no review holds the queue',
    async (sourceBranch, detail) => {
      const review = { ...bench.state().review, sourceBranch };
      await fetchTip(bench.git, 'main');
      const packed = join(bench.checkout.origin, 'packed-refs');
      await writeFile(packed, `${await bench.commit(SOURCE)} refs/heads/${LONG}\n`);
      const state = await takeStep(bench.context(), mergeStep, bench.state({ review }));
      expect(state.verdict).toEqual({ successful: false, failingStep: 'merge', detail });
      expect(state.merge?.targetCommit).toBe(await bench.commit('main'));
    },
  );

  it('leaves no mark in the state if it is refused', async () => {
    await writeFile(join(await bench.inWorktree('rev-parse', '--absolute-git-dir'), 'BISECT_LOG'), '');
    await expect(merge()).rejects.toMatchObject({ code: 'UNFINISHED_OPERATION' });
    expect(await bench.stateFile.read()).toEqual(bench.state());
  });

  it('is checked out again unchanged after the worktree was moved, or made again', async () => {
    const state = await merge();
    expect(await takeStep(bench.context(), mergeStep, state)).toBe(state);
    await bench.inWorktree('switch', '--quiet', SOURCE);
    expect(await takeStep(bench.context(), mergeStep, state)).toBe(state);
    expect(await readState()).toEqual(['HEAD', state.merge?.mergeCommit, '']);
    await rm(bench.worktree, { recursive: true });
    const input = { configFolder: bench.home, note: () => undefined };
    const git = await openDriveWorktree(gitIn(bench.checkout.folder), input);
    expect(await takeStep(bench.context({ git }), mergeStep, state)).toBe(state);
    expect(await readState()).toEqual(['HEAD', state.merge?.mergeCommit, '']);
  });

  it('is made again if git has removed it together with the worktree', async () => {
    const state = { ...(await merge()), verdict: undefined };
    const gone = { ...state, merge: { ...state.merge!, mergeCommit: 'f'.repeat(40) } };
    expect((await takeStep(bench.context(), mergeStep, gone)).merge?.targetCommit).toBe(
      state.merge?.targetCommit,
    );
  });

  it.each([
    ['changes are in the worktree', []],
    ['a gate hid its changes from git', ['--assume-unchanged', 'README.md']],
    ['a gate hid its changes as files that are not checked out', ['--skip-worktree', 'README.md']],
  ])('is made although %s, which are kept', async (_what, hidden) => {
    const state = await merge();
    if (hidden.length > 0) await bench.inWorktree('update-index', ...hidden);
    await appendFile(join(bench.worktree, 'README.md'), 'mine\n');
    await writeFile(join(bench.worktree, 'new.txt'), 'new\n');
    expect(await takeStep(bench.context(), mergeStep, state)).toBe(state);
    expect(await readState()).toEqual(['HEAD', state.merge?.mergeCommit, '']);
    const [kept = '', moved = ''] = bench.notes;
    const commit = /git stash apply ([0-9a-f]{40})$/.exec(kept)?.[1] ?? '';
    expect(await bench.checkout.git('show', `${commit}:README.md`)).toBe('app\nmine');
    const folder = /moved to (.+): new\.txt\.$/.exec(moved)?.[1] ?? '';
    expect(await readFile(join(folder, 'new.txt'), 'utf8')).toBe('new\n');
  });

  it('is made although the last merge ignored a file that the target does not ignore, which is moved', async () => {
    await bench.checkout.branch('ignoring', { '.gitignore': '*.out\n' });
    const review = { ...bench.state().review, sourceBranch: 'ignoring' };
    await takeStep(bench.context(), mergeStep, bench.state({ review }));
    await writeFile(join(bench.worktree, 'app.out'), 'built\n');
    await fetchTip(bench.git, 'main');
    expect((await merge()).verdict).toBeUndefined();
    expect(bench.notes).toEqual([expect.stringMatching(/moved to .+: app\.out\.$/)]);
  });

  it('is never checked out over a commit of the worktree that no ref holds', async () => {
    const state = await merge();
    await bench.inWorktree('commit', '--quiet', '--allow-empty', '-m', 'Mine');
    const mine = await bench.inWorktree('rev-parse', 'HEAD');
    for (const from of [state, bench.state()]) {
      await expect(takeStep(bench.context(), mergeStep, from)).rejects.toMatchObject({
        code: 'LOCAL_COMMITS',
        details: { commits: [mine] },
      });
    }
    await bench.checkout.git('branch', 'kept', mine);
    expect(await takeStep(bench.context(), mergeStep, state)).toBe(state);
  });

  it('is made although the target was set back on origin, so that no ref holds the former tip', async () => {
    const before = await bench.commit('main');
    await bench.moveTarget({ 'more.txt': 'more\n' });
    await bench.checkout.git('fetch', '--quiet', 'origin');
    await merge();
    await bench.checkout.git('push', '--quiet', '--force', 'origin', `${before}:refs/heads/main`);
    await bench.checkout.git('fetch', '--quiet', 'origin');
    expect((await merge()).merge?.targetCommit).toBe(before);
  });

  it('is made although an ignored file of an earlier gate is in the way, which is moved', async () => {
    await writeFile(join(bench.checkout.folder, '.git/info/exclude'), 'numbers.out\n');
    await writeFile(join(bench.worktree, 'numbers.out'), 'built\n');
    await bench.checkout.git('switch', '--quiet', SOURCE);
    await writeFile(join(bench.checkout.folder, 'numbers.out'), 'theirs\n');
    await bench.checkout.git('add', '--force', 'numbers.out');
    await bench.checkout.git('commit', '--quiet', '-m', 'Output');
    await bench.checkout.git('push', '--quiet', 'origin', SOURCE);
    expect((await merge()).verdict).toBeUndefined();
    expect(await readFile(join(bench.worktree, 'numbers.out'), 'utf8')).toBe('theirs\n');
    const folder = /moved to (.+): numbers\.out\.$/.exec(bench.notes[0] ?? '')?.[1] ?? '';
    expect(await readFile(join(folder, 'numbers.out'), 'utf8')).toBe('built\n');
  });

  describe('of an earlier run', () => {
    it('is kept while the target is unchanged', async () => {
      const state = await merge();
      expect(await dropOutdatedMerge(bench.context(), state)).toBe(state);
    });

    it('is made again once the target has moved, and its gate run is ended', async () => {
      bench.platform.answer(`PATCH /v1/gate-runs/${RUN_ID}`, ({ body }) => ({ body }));
      const state = { ...(await merge()), gateRunId: RUN_ID };
      await bench.moveTarget({ 'more.txt': 'more\n' });
      expect(await dropOutdatedMerge(bench.context(), state)).toEqual(bench.state());
      expect(bench.notes).toEqual(['main has moved since the merge was made: it is made again.']);
      expect(bench.platform.to(`PATCH /v1/gate-runs/${RUN_ID}`).map(({ body }) => body)).toEqual([
        { verdict: 'INCONCLUSIVE' },
      ]);
    });

    it('counts as pushed if it is below the tip and its gate has passed', async () => {
      const state = { ...(await merge()), verdict: { successful: true } };
      await bench.inWorktree('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
      await bench.moveTarget({ 'more.txt': 'more\n' });
      expect(await dropOutdatedMerge(bench.context(), state)).toEqual({ ...state, pushed: true });
      const ungated = { ...state, verdict: undefined };
      expect(await dropOutdatedMerge(bench.context(), ungated)).toBe(ungated);
    });

    it('keeps its failure even if the target has moved', async () => {
      const state = { ...(await merge()), verdict: { successful: false } };
      await bench.moveTarget({ 'more.txt': 'more\n' });
      expect(await dropOutdatedMerge(bench.context(), state)).toBe(state);
    });
  });

  it('needs only a report if the source adds nothing because its gated merge is on the target', async () => {
    await bench.checkout.git('push', '--quiet', 'origin', `${SOURCE}:refs/heads/main`);
    const commitId = await bench.commit(SOURCE);
    const build = { buildId: RUN_ID, kind: 'GATE', successful: true, commitId };
    bench.platform.answer(`GET /v1/reviews/${REVIEW_ID}/builds`, { body: [build] });
    expect(await merge()).toMatchObject({ pushed: true, buildId: RUN_ID, verdict: { successful: true } });
    bench.platform.answer(`GET /v1/reviews/${REVIEW_ID}/builds`, { body: [] });
    expect((await merge()).verdict?.detail).toBe(`${SOURCE} cannot be merged: adds nothing.`);
  });
});
