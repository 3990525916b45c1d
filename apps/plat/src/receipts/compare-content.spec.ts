import type { MergeReceipt } from '@plat/api-client';
import { compareContent } from './compare-content';
import type { MergedAgain } from './merged-again';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const GIT = ['EXACT', 'SAME_CHANGE', 'BY_HAND', 'DIVERGENT', 'UNDECIDED', 'NOT_COMPUTED'] as const;

/** How the comparison of a receipt with git ends. */
function compare(contentVerdict: string, verdict: MergedAgain['verdict']): string {
  const receipt = { reviewId: ID, commitId: 'a'.repeat(40), contentVerdict } as MergeReceipt;
  try {
    compareContent(receipt, { verdict, detail: 'git says so' });
    return 'confirmed';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("a receipt's verdict and git's", () => {
  const [ok, open, refuted] = ['confirmed', 'UNDECIDED', 'RECEIPT_NOT_BORNE_OUT'];
  it.each([
    ['EXACT', [ok, refuted, refuted, refuted, refuted, open]],
    ['SAME_CHANGE', [ok, ok, open, refuted, open, open]],
    ['BY_HAND', [open, open, open, refuted, open, open]],
    ['UNKNOWN', [ok, ok, open, refuted, open, open]],
    ['DIVERGENT', [refuted, refuted, ...Array.from({ length: 4 }, () => 'CONTENT_DIVERGES')]],
    ['A_LATER_ONE', GIT.map(() => open)],
  ])('are compared if the receipt says %s', (contentVerdict, expected) => {
    expect(GIT.map((verdict) => compare(contentVerdict, verdict))).toEqual(expected);
  });

  it('leave a decision by hand to a person, with the place to look', () => {
    const receipt = {
      ...{ reviewId: ID, contentVerdict: 'BY_HAND', contentReason: 'conflict_resolved' },
      findings: [{ kind: 'by_hand', path: 'app.ts', in: 'landed', firstLine: 3, lastLine: 5 }],
    } as unknown as MergeReceipt;
    expect(() => compareContent(receipt, { verdict: 'BY_HAND', detail: 'in app.ts:3-5' })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('app.ts:3-5, lines of the landed file') as unknown,
        next: `look at each place: plat review show ${ID}`,
      }),
    );
  });
});
