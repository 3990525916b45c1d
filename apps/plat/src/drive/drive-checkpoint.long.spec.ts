import { join } from 'node:path';
import { SealedLog } from '@plat/testing';
import { DriveBench, REVIEW_ID, SOURCE } from '../black-box/drive-bench';
import { forkOf, serveLog } from '../black-box/served-log';
import { drive } from './drive';

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

  describe('that records the checkpoint of the log', () => {
    const ref = (log: SealedLog) => `refs/plat/checkpoints/${log.tenantId}`;
    const recording = () => {
      const configFolder = join(bench.home, 'config');
      return { recording: { configFolder, pinned: [], flags: ['--record-checkpoint', '--log-key', 'k'] } };
    };
    const writePushed = async () => {
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
      await writePushed();
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
      await writePushed();
      await drive(bench.context(recording()), false);
      const fork = forkOf(log, 3);
      fork.addAudit(9);
      serveLog(bench.platform, fork, [log.key]);
      await writePushed();
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
});
