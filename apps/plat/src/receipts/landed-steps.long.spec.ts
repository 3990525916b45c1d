import { lines } from '../black-box/gate-checkout';
import { LandedReview } from '../black-box/landed-review';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

const rebased = { contentVerdict: 'SAME_CHANGE', contentReason: 'rebased' } as const;
const byHand = { contentVerdict: 'BY_HAND', contentReason: 'conflict_resolved' } as const;

const numbers = (changed: Record<number, string>) => ({ 'numbers.txt': lines(1, 40, changed) });

describe('a landing that came commit by commit', () => {
  let review: LandedReview;
  beforeEach(async () => (review = await LandedReview.make()));
  afterEach(() => review.remove());

  it('is SAME_CHANGE if the source merged the target between its commits', async () => {
    await review.checkout.branch('part', numbers({ 2: 'two', 9: 'nine' }));
    await review.commit({ 'other.txt': 'other\n' });
    await review.git('switch', '--quiet', 'part');
    await review.git('merge', '--quiet', '--no-edit', 'main');
    await review.git('switch', '--quiet', 'main');
    await review.commitToSource(numbers({ 9: 'nine' }));
    await review.pick('part~2', 'part');
    expect(await review.outcome(rebased)).toBe('CONFIRMED');
  });

  it('is not SAME_CHANGE if a merge of the target in the source has work of its own', async () => {
    await review.checkout.branch('part', numbers({ 2: 'two', 9: 'nine' }));
    await review.commit({ 'other.txt': 'other\n' });
    await review.git('switch', '--quiet', 'part');
    await review.git('merge', '--quiet', '--no-commit', '--no-ff', 'main');
    await review.commit({ 'guard.txt': 'guard\n' });
    await review.git('switch', '--quiet', 'main');
    await review.commitToSource(numbers({ 9: 'nine' }));
    await review.pick('part~2', 'part');
    expect(await review.verdict(rebased)).toMatch(/UNDECIDED|DIVERGENT/);
  });

  it('is SAME_CHANGE if several commits landed in one step', async () => {
    await review.checkout.branch('part', numbers({ 2: 'two' }));
    await review.commitToSource(numbers({ 2: 'two', 9: 'nine' }));
    await review.squash('part');
    await review.commitToSource(numbers({ 9: 'nine' }));
    await review.pick('part');
    expect(await review.outcome(rebased)).toBe('CONFIRMED');
  });

  it('is left to a person if others changed the lines of a step before the next one', async () => {
    await review.checkout.branch('part', numbers({ 20: 'zwanzig' }));
    await review.commitToSource({ 'part.txt': 'part\n' });
    await review.commit({ 'other.txt': 'other\n' });
    await review.pick('part~1');
    await review.commit(numbers({ 20: 'vingt' }));
    await review.pick('part');
    expect(await review.outcome(byHand)).toBe('NOT_CONFIRMED');
    expect(await review.outcome(rebased)).toBe('NOT_CONFIRMED');
  });
});
