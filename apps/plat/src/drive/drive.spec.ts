import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SealedLog } from '@plat/testing';
import { DriveBench, REVIEW_ID, SOURCE } from '../black-box/drive-bench';
import { forkOf, serveLog } from '../black-box/served-log';
import { drive } from './drive';
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

  it('abandons a review that was moved away meanwhile, drops its merge, and continues', async () => {
    const target = await bench.commit('main');
    await bench.stateFile.write(await mergeStep(bench.context(), bench.state()));
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

  it('tells of a merged review that its landed content is DIVERGENT', async () => {
    await bench.stateFile.write(
      bench.state({ pushed: true, buildId: BUILD_ID, verdict: { successful: true } }),
    );
    at({ status: 'MERGED', lastMergedBuildId: BUILD_ID, contentVerdict: 'DIVERGENT' });
    expect(await outcomes()).toMatchObject([{ outcome: 'MERGED', contentVerdict: 'DIVERGENT' }]);
    expect(bench.notes.join('\n')).toContain('its landed content is DIVERGENT');
  });

  it('stops if a review comes back unchanged, and names the reviews that it drove before', async () => {
    await bench.stateFile.write(bench.state());
    at({ status: 'READY' });
    bench.platform.answer(ADVANCE, { body: review({ status: 'READY' }) });
    await expect(drive(bench.context(), false)).rejects.toMatchObject({
      code: 'NOTHING_CHANGES',
      details: { reviews: [{ reviewId: REVIEW_ID, outcome: 'ABANDONED' }] },
    });
    expect(bench.platform.to(ADVANCE)).toHaveLength(1);
  });

  it('names a review that has failed, even if its merge cannot be dropped', async () => {
    bench.platform.answer(ADVANCE, { body: review({ status: 'MERGE' }) });
    bench.platform.answer(`GET /v1/reviews/${REVIEW_ID}/builds`, { body: [] });
    const build = { buildId: BUILD_ID, kind: 'GATE', successful: false };
    bench.platform.answer(`POST /v1/reviews/${REVIEW_ID}/builds`, { body: build });
    bench.platform.answer('POST /v1/gate-runs', { status: 403, body: { code: 'FORBIDDEN', message: 'No.' } });
    bench.platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
    await bench.checkout.git('switch', '--quiet', SOURCE);
    const left = async () => {
      await writeFile(join(bench.checkout.folder, '.git/index.lock'), '');
      return { successful: false, detail: 'red' };
    };
    const context = bench.context({ gate: { planned: () => Promise.resolve('false'), run: left } });
    await expect(drive(context, false)).rejects.toMatchObject({
      details: { reviews: [{ reviewId: REVIEW_ID, outcome: 'FAILED', buildId: BUILD_ID }] },
    });
  });

  describe('that records the checkpoint of the log', () => {
    const ref = (log: SealedLog) => `refs/plat/checkpoints/${log.tenantId}`;
    const recording = () => {
      const configFolder = join(bench.home, 'config');
      return { recording: { configFolder, pinned: [], flags: ['--record-checkpoint', '--log-key', 'k'] } };
    };
    const pushed = async () => {
      await bench.stateFile.write(
        bench.state({
          ...{ pushed: true, buildId: BUILD_ID, verdict: { successful: true } },
          merge: { targetCommit: await bench.commit('main'), mergeCommit: await bench.commit('main') },
        }),
      );
      at({ status: 'MERGED', lastMergedBuildId: BUILD_ID });
    };

    it('keeps it in the repository once the merge is reported', async () => {
      const log = new SealedLog();
      serveLog(bench.platform, log);
      await pushed();
      const checkpoint = { ref: ref(log), size: 1, upToDate: false };
      expect((await drive(bench.context(recording()), false)).reviews).toMatchObject([
        { outcome: 'MERGED', checkpoint },
      ]);
      expect(await bench.checkout.git('ls-remote', 'origin', ref(log))).not.toBe('');
      expect(bench.notes).toContain(`${ref(log)} holds the log of 1 entries.`);
    });

    it('stops with exit code 3 if the log contradicts itself, and the next drive goes on there', async () => {
      const log = new SealedLog();
      log.addAudit(5);
      serveLog(bench.platform, log);
      await pushed();
      await drive(bench.context(recording()), false);
      const fork = forkOf(log, 3);
      fork.addAudit(9);
      serveLog(bench.platform, fork, [log.key]);
      await pushed();
      await expect(drive(bench.context(recording()), false)).rejects.toMatchObject({
        code: 'LOG_CONTRADICTS',
        exitCode: 3,
        details: { reviews: [{ reviewId: REVIEW_ID, outcome: 'MERGED' }] },
        next: expect.stringMatching(
          /plat drive --target-branch main --record-checkpoint --log-key k$/,
        ) as unknown,
      });
      serveLog(bench.platform, log);
      log.addAudit();
      expect((await drive(bench.context(recording()), false)).reviews).toMatchObject([
        { outcome: 'MERGED', checkpoint: { size: 7, upToDate: false } },
      ]);
    });
  });

  it('stops if the checkout cannot be used, and names the review that keeps the slot', async () => {
    await writeFile(join(bench.checkout.folder, '.git/info/exclude'), 'part.txt\n');
    await writeFile(join(bench.checkout.folder, 'part.txt'), 'mine\n');
    bench.platform.answer(ADVANCE, { body: review({ status: 'MERGE' }) });
    await expect(drive(bench.context(), false)).rejects.toMatchObject({
      code: 'FILES_IN_THE_WAY',
      details: { files: ['part.txt'], reviewId: REVIEW_ID },
      next: expect.stringContaining('plat drive --target-branch main --give-up') as unknown,
    });
    // The drive still has the review, and has begun no merge of it.
    expect(await bench.stateFile.read()).toEqual(bench.state());
    expect(await bench.checkout.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
  });
});
