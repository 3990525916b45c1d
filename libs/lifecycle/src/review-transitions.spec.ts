import { REVIEW_STATUSES, type ReviewStatus } from '@plat/contracts/core';
import type { ReviewEffect } from './review-effect';
import {
  buildTrigger,
  patchTrigger,
  REVIEW_TRIGGERS,
  reviewEffect,
  type ReviewTrigger,
  validTargetsByPatch,
} from './review-transitions';

const recordedOnly: ReviewEffect = { kind: 'unchanged' };
const green: ReviewEffect = {
  kind: 'move',
  to: 'READY',
  records: 'lastReadyBuildId',
  joinsTail: true,
  continuesToMerge: true,
};
const failed: ReviewEffect = { kind: 'move', to: 'FAILED', records: 'lastFailedBuildId' };

describe('a build report (Rule B4)', () => {
  const cases: [ReviewStatus, ReviewEffect, ReviewEffect, ReviewEffect][] = [
    // review at, RECORDED ok, RECORDED failed, GATE failed
    ['OPEN', green, failed, failed],
    ['FAILED', green, failed, failed],
    ['READY', recordedOnly, failed, failed],
    ['MERGE', recordedOnly, failed, failed],
    ['MERGED', recordedOnly, recordedOnly, recordedOnly],
    ['CLOSED', recordedOnly, recordedOnly, recordedOnly],
  ];

  it.each(cases)(
    'on a review at %s does what the table says',
    (status, recordedOk, recordedFailed, gateFailed) => {
      expect(reviewEffect(status, buildTrigger({ kind: 'RECORDED', successful: true }))).toEqual(recordedOk);
      expect(reviewEffect(status, buildTrigger({ kind: 'RECORDED', successful: false }))).toEqual(
        recordedFailed,
      );
      expect(reviewEffect(status, buildTrigger({ kind: 'GATE', successful: false }))).toEqual(gateFailed);
    },
  );

  it.each(REVIEW_STATUSES)('"A successful GATE build does not move the review" at %s', (status) => {
    expect(reviewEffect(status, buildTrigger({ kind: 'GATE', successful: true }))).toEqual(recordedOnly);
  });
});

describe('a promotion', () => {
  it('moves a READY review to MERGE', () => {
    expect(reviewEffect('READY', 'PROMOTE')).toEqual({ kind: 'move', to: 'MERGE' });
  });

  it.each(REVIEW_STATUSES.filter((status) => status !== 'READY'))(
    'finds no waiting review at %s',
    (status) => {
      expect(reviewEffect(status, 'PROMOTE')).toEqual(recordedOnly);
    },
  );

  it('is the only way to MERGE', () => {
    expect(triggersThat((effect) => effect.kind === 'move' && effect.to === 'MERGE')).toEqual([
      'READY PROMOTE',
    ]);
  });

  it('follows at once only from a successful RECORDED build (Rule B5)', () => {
    expect(triggersThat((effect) => effect.kind === 'move' && effect.continuesToMerge === true)).toEqual([
      'OPEN RECORDED_SUCCEEDED',
      'FAILED RECORDED_SUCCEEDED',
    ]);
  });
});

describe('PATCH status', () => {
  const targets: Record<ReviewStatus, ReviewStatus[]> = {
    OPEN: ['READY', 'FAILED', 'MERGED', 'CLOSED'],
    FAILED: ['READY', 'MERGED', 'CLOSED'],
    READY: ['FAILED', 'MERGED', 'CLOSED'],
    MERGE: ['READY', 'FAILED', 'MERGED'],
    MERGED: [],
    CLOSED: [],
  };

  it.each(REVIEW_STATUSES)('names the valid targets of %s (Rule B7)', (status) => {
    expect(validTargetsByPatch(status)).toEqual(targets[status]);
  });

  it.each(REVIEW_STATUSES)('"asserting MERGE directly is always refused" at %s', (status) => {
    for (const hasBuildId of [true, false]) {
      expect(reviewEffect(status, patchTrigger('MERGE', hasBuildId))).toEqual(refusal('INVALID_TRANSITION'));
    }
  });

  it.each(REVIEW_STATUSES)('never asserts OPEN on a review at %s', (status) => {
    expect(reviewEffect(status, patchTrigger('OPEN', false))).toEqual(refusal('INVALID_TRANSITION'));
  });

  it('READY with no buildId takes a review at MERGE back to the tail', () => {
    expect(reviewEffect('MERGE', 'PATCH_READY')).toEqual({ kind: 'move', to: 'READY', joinsTail: true });
  });

  it.each(REVIEW_STATUSES.filter((status) => status !== 'MERGE'))(
    '"READY with no buildId on a review not at MERGE is refused" at %s',
    (status) => expect(reviewEffect(status, 'PATCH_READY')).toEqual(refusal('REVIEW_NOT_MERGING')),
  );

  it.each(REVIEW_STATUSES)('READY with a buildId on a review at %s', (status) => {
    const moves = targets[status].includes('READY');
    expect(reviewEffect(status, 'PATCH_READY_WITH_BUILD')).toEqual(
      moves
        ? { kind: 'move', to: 'READY', records: 'lastReadyBuildId', joinsTail: true }
        : refusal('INVALID_TRANSITION'),
    );
  });

  it.each(REVIEW_STATUSES)('"buildId is required for FAILED" on a review at %s', (status) => {
    const moves = targets[status].includes('FAILED');
    expect(reviewEffect(status, 'PATCH_FAILED')).toEqual(
      moves ? missingBuildId : refusal('INVALID_TRANSITION'),
    );
    expect(reviewEffect(status, 'PATCH_FAILED_WITH_BUILD')).toEqual(
      moves ? failed : refusal('INVALID_TRANSITION'),
    );
  });

  it('MERGED on a review at MERGE needs a buildId, the verified queue path, and enqueues a release', () => {
    expect(reviewEffect('MERGE', 'PATCH_MERGED')).toEqual(missingBuildId);
    expect(reviewEffect('MERGE', 'PATCH_MERGED_WITH_BUILD')).toEqual({
      kind: 'move',
      to: 'MERGED',
      records: 'lastMergedBuildId',
      verifies: 'queue',
      enqueuesRelease: true,
    });
  });

  it.each(['OPEN', 'FAILED', 'READY'] as const)(
    'MERGED on a review at %s is reconciled: no lastMergedBuildId, no release, a buildId is ignored',
    (status) => {
      for (const hasBuildId of [true, false]) {
        expect(reviewEffect(status, patchTrigger('MERGED', hasBuildId))).toEqual({
          kind: 'move',
          to: 'MERGED',
          verifies: 'reconciliation',
        });
      }
    },
  );

  it.each(REVIEW_STATUSES)('CLOSED on a review at %s', (status) => {
    const moves = targets[status].includes('CLOSED');
    expect(reviewEffect(status, patchTrigger('CLOSED', true))).toEqual(
      moves ? { kind: 'move', to: 'CLOSED' } : refusal('INVALID_TRANSITION'),
    );
  });
});

describe('the table as a whole', () => {
  it.each(['MERGED', 'CLOSED'] as const)('"%s is terminal": nothing moves a review from it', (status) => {
    for (const trigger of REVIEW_TRIGGERS) expect(reviewEffect(status, trigger).kind).not.toBe('move');
  });

  it('reaches MERGED only by a verified report', () => {
    const unverified = triggersThat(
      (e) => e.kind === 'move' && e.to === 'MERGED' && e.verifies === undefined,
    );
    expect(unverified).toEqual([]);
  });

  it('gives a ticket to whatever enters READY, and to nothing else', () => {
    const uneven = triggersThat((e) => e.kind === 'move' && (e.to === 'READY') !== (e.joinsTail === true));
    expect(uneven).toEqual([]);
  });
});

const missingBuildId: ReviewEffect = { kind: 'refuse', code: 'INVALID_BODY', field: 'buildId' };

function refusal(code: 'INVALID_TRANSITION' | 'REVIEW_NOT_MERGING'): ReviewEffect {
  return { kind: 'refuse', code };
}

function triggersThat(holds: (effect: ReviewEffect) => boolean): string[] {
  const pairs = REVIEW_STATUSES.flatMap((status) =>
    REVIEW_TRIGGERS.map((trigger): [ReviewStatus, ReviewTrigger] => [status, trigger]),
  );
  return pairs
    .filter(([status, trigger]) => holds(reviewEffect(status, trigger)))
    .map((pair) => pair.join(' '));
}
