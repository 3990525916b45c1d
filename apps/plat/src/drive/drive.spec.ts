import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalRepository } from '@plat/remote';
import { DriveBench, REVIEW_ID, SOURCE } from '../black-box/drive-bench';
import { drive } from './drive';
import { takeStep } from './drive-loop';
import { mergeStep } from './merge-step';

const BUILD_ID = `${REVIEW_ID.slice(0, -1)}2`;
const ADVANCE = 'POST /v1/reviews/merge-queue/advance';

describe('the loop of a drive', () => {
  let bench: DriveBench;
  beforeEach(async () => {
    bench = await DriveBench.set();
    await bench.checkout.branch(SOURCE, { 'part.txt': 'part\n' });
    bench.platform.answer(ADVANCE, { status: 404, body: { code: 'EMPTY_QUEUE', message: 'No.' } });
  });
  afterEach(() => bench.strike());

  const review = (facts: object) => ({
    reviewId: REVIEW_ID,
    name: 'Add limits',
    sourceBranch: SOURCE,
    targetBranch: 'main',
    updatedAt: '2026-01-02T03:04:05Z',
    ...facts,
  });
  const at = (facts: object) =>
    bench.platform.answer(`GET /v1/reviews/${REVIEW_ID}`, { body: review(facts) });
  const outcomes = async () => (await drive(bench.context(), false)).reviews;

  it('ends if no review waits', async () => {
    expect(await drive(bench.context(), false)).toEqual({
      targetBranch: 'main',
      repository: `file://${bench.checkout.origin}`,
      reviews: [],
    });
  });

  it('abandons a review that was moved away meanwhile, and continues', async () => {
    const target = await bench.commit('main');
    await bench.stateFile.write(await takeStep(bench.context(), mergeStep, bench.state()));
    at({ status: 'READY' });
    expect(await outcomes()).toMatchObject([{ outcome: 'ABANDONED', detail: 'It is at READY.' }]);
    expect(await bench.commit('main')).toBe(target);
    expect(await bench.stateFile.read()).toBeUndefined();
    expect(bench.platform.to(ADVANCE)).toHaveLength(1);
  });

  it.each([
    ['MERGED if its own build landed', BUILD_ID, 'MERGED'],
    ['MERGED_ELSEWHERE if another build landed', REVIEW_ID, 'MERGED_ELSEWHERE'],
  ])('reports a pushed review as %s', async (_what, lastMergedBuildId, outcome) => {
    await bench.stateFile.write(
      bench.state({ pushed: true, buildId: BUILD_ID, verdict: { successful: true } }),
    );
    at({ status: 'MERGED', lastMergedBuildId });
    expect(await outcomes()).toMatchObject([{ outcome }]);
  });

  it('claims no merge that the answer to its report does not show, and reports it again', async () => {
    const pushed = bench.state({ pushed: true, buildId: BUILD_ID, verdict: { successful: true } });
    await bench.stateFile.write(pushed);
    at({ status: 'MERGE' });
    const route = `PATCH /v1/reviews/${REVIEW_ID}/status`;
    bench.platform.answer(route, { body: review({ status: 'MERGE' }) });
    await expect(drive(bench.context(), false)).rejects.toMatchObject({
      code: 'ANSWER_CONTRADICTS',
      details: { field: 'status', found: 'MERGE', expected: 'MERGED' },
      next: `plat review show ${REVIEW_ID}; then repeat the command`,
    });
    expect(await bench.stateFile.read()).toEqual(pushed);
    const repository = canonicalRepository(bench.checkout.origin);
    bench.platform.answer(route, {
      body: review({ status: 'MERGED', lastMergedBuildId: BUILD_ID, repository }),
    });
    expect(await outcomes()).toMatchObject([{ outcome: 'MERGED' }]);
    expect(bench.platform.to(route)).toHaveLength(2);
  });

  it.each(['DIVERGENT', 'BY_HAND'])(
    'says of a merged review that its landed content is %s',
    async (verdict) => {
      await bench.stateFile.write(
        bench.state({ pushed: true, buildId: BUILD_ID, verdict: { successful: true } }),
      );
      at({ status: 'MERGED', lastMergedBuildId: BUILD_ID, contentVerdict: verdict });
      expect(await outcomes()).toMatchObject([{ outcome: 'MERGED', contentVerdict: verdict }]);
      expect(bench.notes.join('\n')).toContain(`its landed content is ${verdict}`);
    },
  );

  it('stops if a review comes back unchanged, and names the reviews that it drove before', async () => {
    await bench.stateFile.write(bench.state());
    at({ status: 'READY' });
    bench.platform.answer(ADVANCE, { body: review({ status: 'MERGE' }) });
    await expect(drive(bench.context(), false)).rejects.toMatchObject({
      code: 'NOTHING_CHANGES',
      details: { reviews: [{ reviewId: REVIEW_ID, outcome: 'ABANDONED' }] },
    });
    expect(bench.platform.to(ADVANCE)).toHaveLength(1);
  });

  describe('in a worktree that cannot be used', () => {
    beforeEach(() => bench.platform.answer(ADVANCE, { body: review({ status: 'MERGE' }) }));

    it('names the review that keeps the slot, and the command that gets out of it', async () => {
      // A gate has left a bisection in the middle.
      await writeFile(join(await bench.inWorktree('rev-parse', '--absolute-git-dir'), 'BISECT_LOG'), '');
      await expect(drive(bench.context(), false)).rejects.toMatchObject({
        code: 'UNFINISHED_OPERATION',
        details: { reviewId: REVIEW_ID, folder: bench.worktree },
        next: expect.stringMatching(
          /^git worktree remove --force .+\.plat-drive'?, .*plat drive --target-branch main --give-up$/,
        ) as unknown,
      });
      // The drive still has the review, and has begun no merge of it.
      expect(await bench.stateFile.read()).toEqual(bench.state());
      await bench.checkout.git('worktree', 'remove', '--force', bench.worktree);
      expect(await bench.checkout.git('worktree', 'list', '--porcelain')).not.toContain('.plat-drive');
    });
  });

  it('minds no file of a person in the checkout, and touches none', async () => {
    await writeFile(join(bench.checkout.folder, '.git/info/exclude'), 'part.txt\n');
    await writeFile(join(bench.checkout.folder, 'part.txt'), 'mine\n');
    await writeFile(join(bench.checkout.folder, 'README.md'), 'mine\n');
    const before = await bench.checkout.everything();
    const state = await takeStep(bench.context(), mergeStep, bench.state());
    expect(await bench.inWorktree('show', `${state.merge?.mergeCommit}:part.txt`)).toBe('part');
    expect(await bench.checkout.everything()).toBe(before);
    expect(await readFile(join(bench.checkout.folder, 'part.txt'), 'utf8')).toBe('mine\n');
  });
});
