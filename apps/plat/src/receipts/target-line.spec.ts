import { lines } from '../black-box/gate-checkout';
import { LandedReview } from '../black-box/landed-review';
import { gitIn } from '../git/git';
import { findArrival } from './target-line';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

const exact = { contentVerdict: 'EXACT' } as const;
const byHand = { contentVerdict: 'BY_HAND', contentReason: 'conflict_resolved' } as const;

describe('the way by which a commit came to the target', () => {
  let review: LandedReview;
  beforeEach(async () => {
    review = await LandedReview.make();
    await review.checkout.branch('part', { 'part.txt': 'part\n' });
  });
  afterEach(() => review.remove());

  describe("of the source's own tip, which was reported", () => {
    const report = async (facts: object) => review.outcome({ ...facts, commitId: await review.hash('part') });

    it('is a fast-forward, also before later merges of older branches', async () => {
      await review.git('branch', 'old');
      await review.git('merge', '--quiet', '--ff-only', 'part');
      expect(await report(exact)).toBe('CONFIRMED');
      await review.git('switch', '--quiet', 'old');
      await review.commit({ 'old.txt': 'old\n' });
      await review.git('switch', '--quiet', 'main');
      await review.commit({ 'later.txt': 'later\n' });
      await review.git('merge', '--quiet', '--no-edit', 'old');
      expect(await report(exact)).toBe('CONFIRMED');
    });

    it('is none if the target does not have it, but is in its history, or next to it', async () => {
      const part = await review.hash('part');
      const git = gitIn(review.checkout.folder);
      expect(await findArrival(git, part, await review.hash('main'))).toBeUndefined();
      await review.commit({ 'work.txt': 'work\n' });
      expect(await findArrival(git, part, await review.hash('main'))).toBeUndefined();
    });

    it('is a merge, which is judged', async () => {
      const work = await review.commit({ 'work.txt': 'work\n' });
      await review.git('merge', '--quiet', '--no-ff', '--no-edit', 'part');
      expect(await report(exact)).toBe('CONFIRMED');
      await review.put(work, work, 'part');
      expect(await report(exact)).not.toBe('CONFIRMED');
      await review.put('part', work, 'part');
      expect(await report(exact)).toBe('REFUTED');
    });

    it('is a merge in which a person decided, and which the receipt names', async () => {
      await review.commitToSource({ 'numbers.txt': lines(1, 40, { 20: 'zwanzig' }) });
      const work = await review.commit({ 'numbers.txt': lines(1, 40, { 20: 'twenty' }) });
      const decided = await review.commit({
        'numbers.txt': lines(1, 40, { 20: 'vingt' }),
        'part.txt': 'part\n',
      });
      const landedCommitId = await review.put(decided, work, 'part');
      expect(await report({ ...byHand, landedCommitId })).toBe('NOT_CONFIRMED');
      expect(await report(exact)).toBe('REFUTED');
    });

    it('is not shown if a merge of more than it brought it, or a later merge is not exact', async () => {
      const work = await review.commit({ 'work.txt': 'work\n' });
      await review.git('reset', '--quiet', '--hard', 'part');
      const more = await review.commit({ 'more.txt': 'more\n' });
      await review.put(work, work, more);
      expect(await report(exact)).toBe('NOT_CONFIRMED');
      await review.put(more, more, work);
      expect(await report(exact)).toBe('NOT_CONFIRMED');
    });
  });

  describe('of a reported squash on a side branch', () => {
    let work: string;
    let squash: string;
    beforeEach(async () => {
      squash = await review.squash('part');
      await review.git('reset', '--quiet', '--hard', 'HEAD~1');
      work = await review.commit({ 'work.txt': 'work\n' });
    });

    it('is an exact merge', async () => {
      await review.git('merge', '--quiet', '--no-ff', '--no-edit', squash);
      expect(await review.outcome({ ...exact, commitId: squash })).toBe('CONFIRMED');
    });

    it.each([
      ['the squash', () => work],
      ['work of the target', () => squash],
    ])('is not confirmed if the merge drops %s', async (_what, tree) => {
      await review.put(tree(), work, squash);
      expect(await review.outcome({ ...exact, commitId: squash })).toBe('NOT_CONFIRMED');
    });
  });

  describe('of a merge whose first parent is the source', () => {
    it('is not shown, whatever the merge before', async () => {
      const work = await review.commit({ 'work.txt': 'work\n' });
      await review.git('merge', '--quiet', '--no-ff', '--no-edit', 'part');
      await review.put('main', 'part', work);
      expect(await review.outcome(exact)).toBe('NOT_CONFIRMED');
      expect(await review.outcome({ ...exact, anchorCommitId: work })).toBe('NOT_CONFIRMED');
      await review.put('part', 'part', work);
      expect(await review.outcome(exact)).toBe('REFUTED');
    });
  });

  it('is not shown if the merge before is not in the parent of the landed commit', async () => {
    const base = await review.hash('main');
    const anchorCommitId = await review.commit({ 'work.txt': 'work\n' });
    await review.git('switch', '--quiet', '--detach', base);
    await review.commit({ 'side.txt': 'side\n' });
    const side = await review.squash('part');
    await review.git('switch', '--quiet', 'main');
    await review.put(side, base, anchorCommitId);
    expect(await review.outcome({ ...exact, anchorCommitId })).toBe('NOT_CONFIRMED');
  });

  it('is not asked for a source that was made from the landed commit', async () => {
    const landedCommitId = await review.squash('part');
    const sourceTip = await review.put('main', 'main');
    expect(await review.verdict({ commitId: landedCommitId, sourceTip })).toBe('NOT_COMPUTED');
  });
});
