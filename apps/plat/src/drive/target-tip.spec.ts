import { DriveBench, REVIEW_ID } from '../black-box/drive-bench';
import { fetchTargetTip, isOn } from './target-tip';

describe('the target of a drive', () => {
  let bench: DriveBench;
  beforeEach(async () => (bench = await DriveBench.set()));
  afterEach(() => bench.strike());

  it('has the current tip of origin, and no ref of the person’s moves', async () => {
    const local = await bench.commit('main');
    const moved = await bench.moveTarget({ 'more.txt': 'more\n' });
    expect(await fetchTargetTip(bench.context())).toBe(moved);
    expect([
      await bench.commit('main'),
      await bench.inWorktree('rev-parse', 'refs/worktree/plat/gate/main'),
    ]).toEqual([local, moved]);
  });

  it('is an error if origin lacks it; a review at MERGE can be given up', async () => {
    const context = bench.context({ targetBranch: 'gone' });
    await expect(fetchTargetTip(context)).rejects.toMatchObject({
      code: 'NO_SUCH_TARGET',
      details: { targetBranch: 'gone' },
      next: expect.stringContaining('--target-branch <branch>') as unknown,
    });
    await expect(fetchTargetTip(context, bench.state())).rejects.toMatchObject({
      details: { reviewId: REVIEW_ID },
      next: expect.stringContaining('plat drive --target-branch gone --give-up') as unknown,
    });
  });

  it('contains its tip and the commits below it, and no other commit', async () => {
    const below = await bench.commit('main');
    const beside = await bench.checkout.branch('beside', { 'beside.txt': 'beside\n' });
    const tip = await bench.moveTarget({ 'more.txt': 'more\n' });
    const on = await Promise.all([tip, below, beside].map((commit) => isOn(bench.context(), commit, tip)));
    expect(on).toEqual([true, true, false]);
  });
});
