import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench, REVIEW_ID, SOURCE } from '../black-box/drive-bench';
import type { CheckpointRecording } from '../landings/record-checkpoint';
import { planDrive } from './planned-drive';

describe('plat drive --dry-run', () => {
  let bench: DriveBench;
  beforeEach(async () => {
    bench = await DriveBench.set();
    waiting({});
  });
  afterEach(() => bench.strike());

  const review = { reviewId: REVIEW_ID, name: 'Add limits', sourceBranch: SOURCE, targetBranch: 'main' };
  function waiting({ holder, queue = [] }: { holder?: object; queue?: object[] }): void {
    bench.platform.answer('GET /v1/reviews', { body: holder ? [holder] : [] });
    bench.platform.answer('GET /v1/reviews/merge-queue', { body: queue });
  }
  const plan = (recording?: CheckpointRecording) => {
    const { platform, targetBranch, gate } = bench.context();
    return planDrive({
      platform,
      targetBranch,
      gate,
      recording,
      folder: bench.checkout.folder,
      configFolder: bench.home,
    });
  };
  /** The steps in their order: each call of the platform, and the subcommand of each git command. */
  const order = async () =>
    (await plan()).map((step) => /^git (?:-c \S+ |-\S+ )*(\S+)/.exec(step)?.[1] ?? step);

  it('plans nothing if no review waits', async () => {
    expect(await plan()).toEqual([]);
  });

  it('plans the steps of the drive order for the head of the queue, and touches nothing', async () => {
    waiting({ queue: [{ ...review, status: 'READY' }] });
    const before = await bench.checkout.everything();
    expect(await order()).toEqual(
      [
        ['advanceMergeQueue'],
        ['fetch', 'fetch', 'checkout', 'merge-tree', 'commit-tree', 'checkout'],
        ['createGateRun', 'true', 'updateGateRun', 'createReviewBuild', 'push', 'updateReviewStatus'],
      ].flat(),
    );
    expect(await bench.checkout.everything()).toBe(before);
  });

  it('ends with the recording of a checkpoint, if it is asked for', async () => {
    waiting({ holder: { ...review, status: 'MERGE' } });
    const steps = await plan({ configFolder: bench.home, pinned: [], flags: [] });
    expect(steps.slice(-3)).toEqual([
      'getAuditLogCheckpoint',
      'git ls-remote -- origin refs/plat/checkpoints/<tenant_id>',
      expect.stringContaining('refs/plat/checkpoints/<tenant_id>'),
    ]);
  });

  it('promotes no review if one holds the slot', async () => {
    waiting({ holder: { ...review, status: 'MERGE' }, queue: [{ ...review, status: 'READY' }] });
    expect((await order())[0]).toBe('fetch');
  });

  it('begins with the worktree, if there is none yet', async () => {
    waiting({ holder: { ...review, status: 'MERGE' } });
    await bench.checkout.git('worktree', 'remove', '--force', bench.worktree);
    expect((await order()).slice(0, 2)).toEqual(['worktree', 'fetch']);
    expect(await bench.checkout.git('worktree', 'list')).not.toContain('.plat-drive');
  });

  it('minds no changes in the checkout, as the drive itself', async () => {
    waiting({ holder: { ...review, status: 'MERGE' } });
    await appendFile(join(bench.checkout.folder, 'README.md'), 'mine\n');
    expect((await order())[0]).toBe('fetch');
  });
});
