import { lines } from '../black-box/gate-checkout';
import { LandedReview } from '../black-box/landed-review';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

const exact = { contentVerdict: 'EXACT' } as const;
const earlier = { contentVerdict: 'BY_HAND', contentReason: 'earlier_commits' } as const;
const numbers = (changed: Record<number, string>) => ({ 'numbers.txt': lines(1, 40, changed) });

describe('an exact landing after a commit that brought a part of the source', () => {
  let review: LandedReview;
  beforeEach(async () => {
    review = await LandedReview.make();
    await review.checkout.branch('part', { ...numbers({ 2: 'two' }), 'last.txt': 'last\n' });
  });
  afterEach(() => review.remove());

  it('is not confirmed, whether the receipt says it or not', async () => {
    const anchorCommitId = await review.hash('main');
    await review.commit(numbers({ 2: 'two', 30: 'evil' }));
    await review.squash('part');
    expect(await review.outcome({ ...exact, anchorCommitId })).toBe('NOT_CONFIRMED');
    expect(await review.outcome({ ...earlier, anchorCommitId })).toBe('NOT_CONFIRMED');
  });

  it('is confirmed if the merge before had the part', async () => {
    await review.commit(numbers({ 2: 'two', 30: 'thirty' }));
    const anchorCommitId = await review.commit({ 'anchor.txt': 'anchor\n' });
    await review.commit(numbers({ 2: 'two', 30: 'THIRTY' }));
    await review.squash('part');
    expect(await review.outcome({ ...exact, anchorCommitId })).toBe('CONFIRMED');
    expect(await review.outcome({ ...earlier, anchorCommitId })).toBe('NOT_CONFIRMED');
  });

  it('is confirmed if others changed other lines', async () => {
    const anchorCommitId = await review.hash('main');
    await review.commit(numbers({ 30: 'thirty' }));
    await review.squash('part');
    expect(await review.outcome({ ...exact, anchorCommitId })).toBe('CONFIRMED');
  });

  it('is not confirmed as a landing commit by commit either', async () => {
    const anchorCommitId = await review.hash('main');
    const rebased = { contentVerdict: 'SAME_CHANGE', contentReason: 'rebased' } as const;
    await review.commit(numbers({ 2: 'two', 30: 'evil' }));
    await review.squash('part');
    expect(await review.outcome({ ...rebased, anchorCommitId })).toBe('NOT_CONFIRMED');
  });

  it('is confirmed after a merge of its first commits only if these still stand', async () => {
    const anchorCommitId = await review.commit({ 'anchor.txt': 'anchor\n' });
    await review.commitToSource({ 'second.txt': 'second\n' });
    await review.git('merge', '--quiet', '--no-ff', '--no-edit', 'part~1');
    const merged = await review.hash('main');
    await review.squash('part');
    expect(await review.outcome({ ...exact, anchorCommitId })).toBe('CONFIRMED');
    await review.git('reset', '--quiet', '--hard', merged);
    await review.without('last.txt');
    await review.pick('part');
    expect(await review.outcome({ ...exact, anchorCommitId })).toBe('NOT_CONFIRMED');
  });
});
