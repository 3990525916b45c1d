import type { MergeReceipt } from '@plat/api-client';
import { LandedReview } from '../black-box/landed-review';
import { gitIn } from '../git/git';
import type { ReceiptClone } from './receipt-clone';
import type { ReceiptSubject } from './receipt-subject';
import { compareSource } from './reviewed-source';

describe('the reviewed commit of a receipt', () => {
  let review: LandedReview;
  let reviewed: string;
  beforeEach(async () => {
    review = await LandedReview.make();
    reviewed = await review.checkout.branch('part', { 'part.txt': 'part\n' });
  });
  afterEach(() => review.remove());

  async function compare(sourceTip: string, branch = 'part'): Promise<string> {
    const clone = { git: gitIn(review.checkout.folder), sourceBranchTip: await review.hash(branch) };
    const receipt = {
      sourceTip,
      sourceBranch: branch,
      targetBranch: 'main',
      commitId: await review.hash('main'),
    };
    return compareSource(clone as ReceiptClone, receipt as MergeReceipt, {} as ReceiptSubject);
  }

  it('is on the own line of its branch, also if that merged the target later', async () => {
    await review.squash('part');
    await review.git('switch', '--quiet', 'part');
    await review.git('merge', '--quiet', '--no-edit', 'main');
    expect(await compare(reviewed)).toContain('which has moved on');
  });

  it('is not confirmed by a commit that came into its branch with the target', async () => {
    const base = await review.hash('main');
    const landed = await review.commit({ 'door.txt': 'open\n' });
    await review.git('switch', '--quiet', '--detach', base);
    const twin = await review.commit({ 'door.txt': 'open\n', 'twin.txt': 'twin\n' });
    await review.git('switch', '--quiet', 'main');
    await review.put(twin, landed, twin);
    await review.git('switch', '--quiet', 'part');
    await review.git('merge', '--quiet', '--no-edit', 'main');
    await expect(compare(twin)).rejects.toMatchObject({ code: 'UNDECIDED' });
  });
});
