import { lines } from '../black-box/gate-checkout';
import { LandedReview } from '../black-box/landed-review';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

const rebased = { contentVerdict: 'SAME_CHANGE', contentReason: 'rebased' } as const;
const byHand = { contentVerdict: 'BY_HAND', contentReason: 'conflict_resolved' } as const;
const exact = { contentVerdict: 'EXACT' } as const;

const numbers = (changed: Record<number, string>) => ({ 'numbers.txt': lines(1, 40, changed) });

describe('a landing that came commit by commit', () => {
  let review: LandedReview;
  beforeEach(async () => (review = await LandedReview.make()));
  afterEach(() => review.remove());

  describe('of a source whose second commit alters a line of the first', () => {
    beforeEach(async () => {
      await review.checkout.branch('part', { ...numbers({ 2: 'two', 9: 'nine' }), first: 'first\n' });
      await review.commitToSource({ ...numbers({ 9: 'NINE' }), 'part.txt': 'part\n' });
      await review.commit({ 'other.txt': 'other\n' });
    });

    it('is SAME_CHANGE, also with commits of others between', async () => {
      await review.pick('part~1');
      await review.pick('part');
      expect(await review.judge(rebased)).toEqual({
        verdict: 'SAME_CHANGE',
        detail: 'its commits landed one by one, in 2 steps',
      });
      await review.git('reset', '--quiet', '--hard', 'HEAD~1');
      await review.commit({ 'between.txt': 'between\n' });
      await review.pick('part');
      expect(await review.outcome(rebased)).toBe('CONFIRMED');
      expect(await review.outcome(exact)).toBe('REFUTED');
    });

    it('is left to a person without a commit whose change was there before', async () => {
      await review.git('cherry-pick', '--no-commit', 'part~1');
      const anchorCommitId = await review.commit({ 'theirs.txt': 'theirs\n' });
      await review.pick('part');
      expect(await review.outcome({ ...rebased, anchorCommitId })).toBe('NOT_CONFIRMED');
    });

    it('is not SAME_CHANGE if what was there before is taken back before the last step', async () => {
      await review.git('cherry-pick', '--no-commit', 'part~1');
      const anchorCommitId = await review.commit({ 'theirs.txt': 'theirs\n' });
      await review.without('first');
      await review.pick('part');
      expect(await review.verdict({ ...rebased, anchorCommitId })).not.toMatch(/SAME_CHANGE|EXACT/);
      const honest = { contentVerdict: 'DIVERGENT', contentReason: 'source_change_missing' } as const;
      expect((await review.judge({ ...honest, anchorCommitId })).verdict).toBe('DIVERGENT');
    });

    it('is not SAME_CHANGE if the earlier one has a foreign file', async () => {
      await review.git('cherry-pick', '--no-commit', 'part~1');
      await review.commit({ 'door.txt': 'open\n' });
      await review.pick('part');
      expect(await review.outcome(rebased)).toBe('NOT_CONFIRMED');
    });

    it.each<[string, () => Promise<unknown>]>([
      ['the earlier one is missing', () => review.git('cherry-pick', '--strategy-option=theirs', 'part')],
      [
        'the last one has a foreign line',
        async () => {
          await review.pick('part~1');
          await review.git('cherry-pick', '--no-commit', 'part');
          await review.commit({ 'part.txt': 'part\nevil\n' });
        },
      ],
      [
        'a commit between takes back a part',
        async () => {
          await review.commitToSource({ 'third.txt': 'third\n' });
          await review.pick('part~2', 'part~1');
          await review.without('part.txt');
          await review.pick('part');
        },
      ],
    ])('is DIVERGENT if %s', async (_what, landing) => {
      await landing();
      expect(await review.outcome(rebased)).toBe('REFUTED');
      expect(await review.verdict(rebased)).toBe('DIVERGENT');
    });
  });

  describe('is left to a person', () => {
    it('if one decided the conflict of a step', async () => {
      await review.checkout.branch('part', numbers({ 20: 'zwanzig' }));
      await review.commitToSource({ 'part.txt': 'part\n' });
      await review.commit(numbers({ 20: 'twenty' }));
      await review.commit(numbers({ 20: 'twenty\nzwanzig' }));
      await review.pick('part');
      expect(await review.outcome(byHand)).toBe('NOT_CONFIRMED');
      expect(await review.outcome(exact)).toBe('REFUTED');
    });

    it('but not if the landed commit is no step', async () => {
      await review.checkout.branch('part', numbers({ 20: 'zwanzig' }));
      await review.commitToSource({ 'part.txt': 'part\n' });
      await review.commit(numbers({ 20: 'twenty\nzwanzig' }));
      await review.commit({ 'part.txt': 'evil\n' });
      expect(await review.outcome(byHand)).toBe('REFUTED');
    });
  });
});
