import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench, REVIEW_ID, SOURCE } from '../black-box/drive-bench';
import { lines } from '../black-box/gate-checkout';
import { fetchTip } from '../gate/gate-refs';
import { currentMerge, dropMerge, mergeStep } from './merge-step';

const RUN_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12';

describe('the merge of a drive', () => {
  let bench: DriveBench;
  beforeEach(async () => {
    bench = await DriveBench.set();
    await bench.checkout.branch(SOURCE, { 'numbers.txt': lines(1, 40, { 3: 'source' }) });
  });
  afterEach(() => bench.strike());

  const merge = () => mergeStep(bench.context(), bench.state());
  /** The state after the merge was made and its gate has begun. */
  const merged = async () => ({ ...(await merge()), foundBeforeGate: [] });
  const standing = async () => [
    await bench.checkout.git('symbolic-ref', '--short', 'HEAD'),
    await bench.commit('HEAD'),
    await bench.checkout.git('status', '--porcelain'),
  ];
  const tip = () => fetchTip(bench.git, 'main');

  it('is checked out on the local target, and the state has the commits that it was made of', async () => {
    const [target, source] = [await bench.commit('main'), await bench.commit(SOURCE)];
    const state = await merge();
    const mergeCommit = await bench.commit('HEAD');
    expect(state.merge).toEqual({ targetCommit: target, sourceCommit: source, mergeCommit });
    expect(await bench.commit('HEAD^')).toBe(target);
    expect(await bench.checkout.git('log', '-1', '--format=%B')).toBe('Add limits');
    expect(await standing()).toEqual(['main', mergeCommit, '']);
  });

  it('is a failed gate with the files in conflict if it conflicts, and leaves the checkout on the target', async () => {
    const targetCommit = await bench.moveTarget({ 'numbers.txt': lines(1, 40, { 3: 'target' }) });
    const state = await merge();
    expect(state.merge).toEqual({ targetCommit, sourceCommit: await bench.commit(SOURCE) });
    expect(state.verdict).toEqual({
      successful: false,
      failingStep: 'merge',
      detail: `${SOURCE} cannot be merged: conflicts in numbers.txt.`,
    });
    expect(await standing()).toEqual(['main', targetCommit, '']);
  });

  it('leaves no mark in the state if it is refused, so later changes are a person’s', async () => {
    await writeFile(join(bench.checkout.folder, '.git', 'BISECT_LOG'), '');
    await expect(merge()).rejects.toMatchObject({ code: 'UNFINISHED_OPERATION' });
    expect(await bench.stateFile.read()).toEqual(bench.state());
  });

  it('is checked out again unchanged after a switch of the branch, which clears foundBeforeGate', async () => {
    const state = await merged();
    expect(await mergeStep(bench.context(), state)).toBe(state);
    await bench.checkout.git('switch', '--quiet', SOURCE);
    const { foundBeforeGate, ...rest } = state;
    expect(foundBeforeGate).toEqual([]);
    expect(await mergeStep(bench.context(), state)).toEqual(rest);
    expect(await standing()).toEqual(['main', state.merge?.mergeCommit, '']);
  });

  it('is never checked out over a change', async () => {
    const state = await merged();
    await appendFile(join(bench.checkout.folder, 'README.md'), 'mine\n');
    await expect(mergeStep(bench.context(), state)).rejects.toMatchObject({ code: 'DIRTY_TREE' });
  });

  describe('of an earlier run', () => {
    it('is kept while the target is unchanged', async () => {
      const state = await merged();
      expect(await currentMerge(bench.context(), state)).toBe(state);
    });

    it('is made again once the target has moved, and its gate run is ended', async () => {
      bench.platform.answer(`PATCH /v1/gate-runs/${RUN_ID}`, ({ body }) => ({ body }));
      const state = { ...(await merged()), gateRunId: RUN_ID };
      const moved = await bench.moveTarget({ 'more.txt': 'more\n' });
      expect(await currentMerge(bench.context(), state)).toEqual(bench.state());
      expect(bench.notes).toEqual(['main has moved since the merge was made: it is made again.']);
      expect(bench.platform.to(`PATCH /v1/gate-runs/${RUN_ID}`).map(({ body }) => body)).toEqual([
        { verdict: 'INCONCLUSIVE' },
      ]);
      // Files that its gate left would be in the way of the next merge.
      expect(await standing()).toEqual(['main', moved, '']);
    });

    it('counts as pushed if it is below the tip and its gate has passed', async () => {
      const state = { ...(await merged()), verdict: { successful: true } };
      await bench.checkout.git('push', '--quiet', 'origin', 'main');
      await bench.moveTarget({ 'more.txt': 'more\n' });
      expect(await currentMerge(bench.context(), state)).toEqual({ ...state, pushed: true });
      const ungated = { ...state, verdict: undefined };
      expect(await currentMerge(bench.context(), ungated)).toBe(ungated);
    });

    it('keeps its failure even if the target has moved', async () => {
      const state = { ...(await merged()), verdict: { successful: false } };
      await bench.moveTarget({ 'more.txt': 'more\n' });
      expect(await currentMerge(bench.context(), state)).toBe(state);
    });
  });

  describe('that does not land', () => {
    it('leaves the local target at origin’s tip', async () => {
      const state = await merged();
      await dropMerge(bench.context(), state);
      expect(await standing()).toEqual(['main', await tip(), '']);
    });

    it('is not dropped if a commit on top of it is on no other ref', async () => {
      const state = await merged();
      const mine = await bench.checkout.commit({ 'mine.txt': 'mine\n' }, 'Mine');
      await expect(dropMerge(bench.context(), state)).rejects.toMatchObject({
        code: 'LOCAL_COMMITS',
        details: { commits: [mine] },
      });
      expect(await standing()).toEqual(['main', mine, '']);
    });

    it('changes nothing in the checkout if it is dropped but could not be made', async () => {
      const before = await standing();
      await dropMerge(bench.context(), bench.state({ merge: { targetCommit: await bench.commit('main') } }));
      expect(await standing()).toEqual(before);
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
