import { lines } from '../black-box/gate-checkout';
import { LandedReview } from '../black-box/landed-review';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

const other = { contentVerdict: 'SAME_CHANGE', contentReason: 'other_commit' } as const;
const numbers = (changed: Record<number, string>) => ({ 'numbers.txt': lines(1, 40, changed) });

describe('a landing in another commit than the reported one', () => {
  let review: LandedReview;
  beforeEach(async () => (review = await LandedReview.make()));
  afterEach(() => review.remove());

  describe('that is a squash', () => {
    let landedCommitId: string;
    beforeEach(async () => {
      await review.checkout.branch('part', numbers({ 2: 'two', 30: 'thirty' }));
      landedCommitId = await review.squash('part');
    });

    it('is SAME_CHANGE if its change still stands there', async () => {
      await review.commit({ 'later.txt': 'later\n' });
      expect(await review.outcome({ ...other, landedCommitId })).toBe('CONFIRMED');
    });

    it.each([
      ['drops a hunk', { 2: 'two' }],
      ['alters a line', { 2: 'two', 30: 'evil' }],
    ])('is DIVERGENT if the reported commit %s', async (_what, changed) => {
      await review.commit(numbers(changed));
      expect(await review.verdict({ ...other, landedCommitId })).toBe('DIVERGENT');
    });

    it('is DIVERGENT if the reported commit is a merge of the source that adds more', async () => {
      await review.put(landedCommitId, landedCommitId, 'part');
      expect(await review.verdict({ ...other, landedCommitId })).toBe('SAME_CHANGE');
      const more = await review.commit({ 'more.txt': 'more\n' });
      await review.put(more, landedCommitId, 'part');
      expect(await review.verdict({ ...other, landedCommitId })).toBe('DIVERGENT');
    });

    it('is not computed if it changes nothing', async () => {
      await review.git('commit', '--quiet', '--allow-empty', '-m', 'Empty');
      expect(await review.verdict()).toBe('NOT_COMPUTED');
    });

    it('is left to a person if a commit between took a part back, and the reported one brings it again', async () => {
      await review.commit(numbers({ 2: 'two' }));
      await review.commit(numbers({ 2: 'two', 30: 'thirty' }));
      expect(await review.outcome({ ...other, landedCommitId })).toBe('NOT_CONFIRMED');
    });
  });

  it('is DIVERGENT if the reported commit takes back a part that was there before the landing', async () => {
    await review.checkout.branch('part', numbers({ 2: 'two', 30: 'thirty' }));
    const anchorCommitId = await review.commit(numbers({ 2: 'two' }));
    const landedCommitId = await review.commit(numbers({ 2: 'two', 30: 'thirty' }));
    await review.commit(numbers({ 30: 'thirty' }));
    expect(await review.verdict({ ...other, anchorCommitId, landedCommitId })).toBe('DIVERGENT');
  });

  it('is not confirmed if that commit is on a side branch, and the reported merge drops work of the target', async () => {
    await review.checkout.branch('part', numbers({ 2: 'two' }));
    const anchorCommitId = await review.commit({ 'before.txt': 'before\n' });
    const landedCommitId = await review.squash('part');
    await review.git('reset', '--quiet', '--hard', anchorCommitId);
    const work = await review.commit({ 'work.txt': 'work\n' });
    await review.put(landedCommitId, work, landedCommitId);
    expect(await review.outcome({ ...other, anchorCommitId, landedCommitId })).toBe('NOT_CONFIRMED');
  });

  describe("that is the source's own tip", () => {
    it('is not confirmed if the reported commit drops the first of its commits, whatever the anchor', async () => {
      await review.checkout.branch('part', { 'first.txt': 'first\n' });
      const landedCommitId = await review.commitToSource({ 'second.txt': 'second\n' });
      await review.git('merge', '--quiet', '--ff-only', 'part');
      await review.without('first.txt');
      expect(await review.outcome({ ...other, landedCommitId })).toBe('NOT_CONFIRMED');
      const anchorCommitId = await review.hash('part~1');
      expect(await review.outcome({ ...other, landedCommitId, anchorCommitId })).toBe('NOT_CONFIRMED');
    });

    it('is not confirmed if the reported merge drops the work of the merge before', async () => {
      const landedCommitId = await review.checkout.branch('part', { 'part.txt': 'part\n' });
      const anchorCommitId = await review.commit({ 'work.txt': 'work\n' });
      const receipt = { ...other, landedCommitId, anchorCommitId };
      await review.put('part', anchorCommitId, 'part');
      expect(await review.outcome(receipt)).toBe('REFUTED');
      await review.git('reset', '--quiet', '--hard', landedCommitId);
      const more = await review.put('part', landedCommitId);
      await review.put('part', more, anchorCommitId);
      expect(await review.outcome(receipt)).toBe('NOT_CONFIRMED');
    });

    it('is the merge that brought it, which still stands', async () => {
      const landedCommitId = await review.checkout.branch('part', { 'part.txt': 'part\n' });
      await review.commit({ 'work.txt': 'work\n' });
      await review.git('merge', '--quiet', '--no-ff', '--no-edit', 'part');
      await review.commit({ 'later.txt': 'later\n' });
      expect(await review.outcome({ ...other, landedCommitId })).toBe('CONFIRMED');
      await review.without('part.txt');
      expect(await review.outcome({ ...other, landedCommitId })).toBe('REFUTED');
    });
  });
});
