import fc from 'fast-check';
import { estimate, estimateErrors, type JudgedMerge, type Merge, quantile } from './queue-estimate';

const MINUTE = 60_000;

/** Merges one after the other, the newest first; each turn begins with the merge before and takes so many minutes. */
function mergesOf(turns: readonly number[]): Merge[] {
  let at = 0;
  return turns
    .map((turn) => {
      const mergedAt = at + turn * MINUTE;
      const merge = { readyAt: at, promotedAt: at, mergedAt };
      at = mergedAt;
      return merge;
    })
    .toReversed();
}

/** Returns the estimate for a review that enters the queue just after the last merge. */
function estimated(merges: readonly Merge[], turns: number, minutesLater = 0) {
  const now = merges[0]!.mergedAt + minutesLater * MINUTE;
  const said = estimate(now, merges, { turns, turnReadyAt: merges[0]!.mergedAt });
  if ('unavailable' in said) return said.unavailable;
  return { ...said, now };
}

describe('an estimate', () => {
  it('is not available before five merges', () => {
    expect(estimate(0, [], { turns: 1, turnReadyAt: 0 })).toEqual({ unavailable: 'TOO_FEW_MERGES' });
    expect(estimated(mergesOf([1, 1, 1, 1]), 1)).toBe('TOO_FEW_MERGES');
    expect(estimated(mergesOf([1, 1, 1, 1, 1]), 1)).toMatchObject({ basis: 5 });
  });

  it('of turns that are all alike is their number times one, without a range', () => {
    const said = estimated(mergesOf([10, 10, 10, 10, 10, 10]), 3);
    const at = 6 * 10 * MINUTE + 30 * MINUTE;
    expect(said).toMatchObject({ basis: 6 });
    for (const time of ['earliest', 'likely', 'latest'] as const) {
      expect((said as Record<string, number>)[time]).toBeCloseTo(at, -1);
    }
  });

  it('takes the present turn to last as long as those that took longer than it has so far', () => {
    const merges = mergesOf([10, 10, 10, 10, 30, 30]);
    const said = estimated(merges, 1, 20) as { now: number; likely: number };
    expect(said.likely - said.now).toBeCloseTo(10 * MINUTE, -1);
  });

  it('is overdue once the present turn takes longer than any of the last ones', () => {
    const merges = mergesOf([10, 10, 10, 10, 30]);
    expect(estimated(merges, 4, 29)).toMatchObject({ basis: 5 });
    expect(estimated(merges, 4, 30)).toBe('OVERDUE');
  });

  it('counts the time in which no one waited for no turn', () => {
    const [newest, ...before] = mergesOf([10, 10, 10, 10, 10]);
    const idle = 500 * MINUTE;
    const late = {
      readyAt: newest!.readyAt + idle,
      promotedAt: newest!.promotedAt + idle,
      mergedAt: newest!.mergedAt + idle,
    };
    const said = estimated([late, ...before], 1) as { now: number; likely: number };
    expect(said.likely - said.now).toBeCloseTo(10 * MINUTE, -1);
  });

  it('rests on the last thirty merges', () => {
    const turns = [...Array<number>(20).fill(500), ...Array<number>(30).fill(10)];
    const said = estimated(mergesOf(turns), 1) as { now: number; latest: number; basis: number };
    expect(said.basis).toBe(30);
    expect(said.latest - said.now).toBeCloseTo(10 * MINUTE, -1);
  });

  it('is never before now, in order, and later for whoever is further behind', () => {
    const turns = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 5, maxLength: 60 });
    fc.assert(
      fc.property(turns, fc.nat(20), fc.nat(10_000), (lengths, ahead, later) => {
        const merges = mergesOf(lengths);
        const said = estimated(merges, ahead + 1, later);
        const behind = estimated(merges, ahead + 2, later);
        if (typeof said === 'string' || typeof behind === 'string') {
          expect([said, behind]).toEqual(['OVERDUE', 'OVERDUE']);
          return;
        }
        expect(said.earliest).toBeGreaterThanOrEqual(said.now);
        expect(said.likely).toBeGreaterThanOrEqual(said.earliest);
        expect(said.latest).toBeGreaterThanOrEqual(said.likely);
        expect(behind.latest).toBeGreaterThan(said.latest);
      }),
    );
  });

  it('has nine of ten merges before latest and one of ten before earliest, for turns as they come', () => {
    // Turns of a known distribution, by a generator with a fixed seed.
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const turn = () => 5 + 20 * random() ** 2;
    let before = 0;
    let after = 0;
    const rounds = 2000;
    for (let round = 0; round < rounds; round += 1) {
      const merges = mergesOf(Array.from({ length: 30 }, turn));
      const said = estimated(merges, 4) as { now: number; earliest: number; latest: number };
      const happened = said.now + (turn() + turn() + turn() + turn()) * MINUTE;
      if (happened < said.earliest) before += 1;
      if (happened > said.latest) after += 1;
    }
    for (const share of [before / rounds, after / rounds]) {
      expect(share).toBeGreaterThan(0.05);
      expect(share).toBeLessThan(0.16);
    }
  });
});

describe('the error of estimates', () => {
  const found = (merge: Merge, turns: number): JudgedMerge => ({
    ...merge,
    found: { turns, turnReadyAt: merge.readyAt },
  });

  it('is none if nothing was estimated', () => {
    expect(estimateErrors([])).toBeUndefined();
    expect(estimateErrors(mergesOf([10, 10, 10, 10, 10, 10]))).toBeUndefined();
    const [newest, ...few] = mergesOf([10, 10, 10, 10, 10]);
    expect(estimateErrors([found(newest!, 1), ...few])).toBeUndefined();
  });

  it('is the distance of what was likely at the entry, by the merges until then, from what happened', () => {
    const [slow, ...before] = mergesOf([10, 10, 10, 10, 10, 25]);
    const errors = estimateErrors([found({ ...slow!, readyAt: slow!.readyAt + 1 }, 1), ...before]);
    expect(errors).toMatchObject({ estimates: 1, withinRange: 0 });
    expect(errors!.medianMs).toBeCloseTo(15 * MINUTE, -1);
  });

  it('does not know the merges that came after the entry', () => {
    const merges = mergesOf([10, 10, 10, 10, 10, 90, 90, 10]);
    const [newest, ...before] = merges;
    // It entered before the two long ones, with three turns to come.
    const entered = { ...newest!, readyAt: merges[3]!.mergedAt + 1 };
    const errors = estimateErrors([
      { ...entered, found: { turns: 3, turnReadyAt: entered.readyAt } },
      ...before,
    ]);
    expect(errors!.medianMs).toBeCloseTo(160 * MINUTE, -2);
  });
});

it.each([
  [[5], 0.95, 5],
  [[1, 3], 0.5, 2],
  [[3, 1, 2], 0.5, 2],
  [[0, 10], 0.95, 9.5],
])('a quantile of %j at %s is %s', (values, share, expected) => {
  expect(quantile(values, share)).toBeCloseTo(expected);
});
