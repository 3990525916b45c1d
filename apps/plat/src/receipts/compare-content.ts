import type { MergeReceipt } from '@plat/api-client';
import { CONTENT_VERDICTS, type ContentVerdict } from '@plat/contracts/core';
import { Undecided } from '../doctor/examination';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { findingLines, verdictText } from './landing-text';
import { isSound, type MergedAgain } from './merged-again';

/** The next step for a landing that nothing bears out. */
export const CORRUPT =
  'look at the landed commit, and repair the target branch before anything else is merged';

type GitVerdict = MergedAgain['verdict'];

/** git's verdicts that contradict no receipt of this verdict. Whatever else git finds refutes it. */
const AGREEING: Readonly<Record<ContentVerdict, readonly GitVerdict[]>> = {
  EXACT: ['EXACT', 'NOT_COMPUTED'],
  SAME_CHANGE: ['EXACT', 'SAME_CHANGE', 'BY_HAND', 'UNDECIDED', 'NOT_COMPUTED'],
  BY_HAND: ['EXACT', 'SAME_CHANGE', 'BY_HAND', 'UNDECIDED', 'NOT_COMPUTED'],
  DIVERGENT: [],
  UNKNOWN: ['EXACT', 'SAME_CHANGE', 'BY_HAND', 'UNDECIDED', 'NOT_COMPUTED'],
};

/**
 * Compares the service's verdict with git's own. Only a landing in which neither finds a decision of a person is
 * confirmed, and only if git finds it sound: the service's word alone is none.
 *
 * @throws Failure CONTENT_DIVERGES if the service found a divergence and git did not find the merge itself;
 *   RECEIPT_NOT_BORNE_OUT if the verdicts do not agree
 * @throws Undecided if git cannot decide, or finds that a person did
 */
export function compareContent(receipt: MergeReceipt, again: MergedAgain): string {
  const { contentVerdict } = receipt;
  const claimed = [verdictText(receipt), ...findingLines(receipt)].join('; ');
  const found = `${again.verdict}: ${again.detail}`;
  if (!CONTENT_VERDICTS.includes(contentVerdict)) {
    throw new Undecided(`the receipt says ${claimed}, which this client does not know.`, {
      next: 'update plat, then repeat the command',
    });
  }
  if (contentVerdict === 'DIVERGENT' && !isSound(again)) {
    throw new Failure(
      'CONTENT_DIVERGES',
      `the landed content is not the reviewed one: ${claimed}; git finds ${found}.`,
      { next: CORRUPT },
    );
  }
  if (!AGREEING[contentVerdict].includes(again.verdict)) {
    throw new Failure('RECEIPT_NOT_BORNE_OUT', `the receipt says ${claimed}, git finds ${found}.`, {
      next: CORRUPT,
    });
  }
  if (contentVerdict === 'BY_HAND' || again.verdict === 'BY_HAND') {
    throw new Undecided(
      `the receipt says ${claimed}, and git finds ${found}; no one has judged what a person decided.`,
      {
        next: nextStep('look at each place: plat review show', [receipt.reviewId]),
      },
    );
  }
  if (isSound(again)) return `${claimed}; git finds ${found}`;
  throw new Undecided(`the receipt says ${claimed}, and git cannot decide it: ${again.detail}.`, {
    next: lookAt(receipt),
  });
}

function lookAt({ landedCommitId, commitId = landedCommitId }: MergeReceipt): NextStep {
  return commitId === undefined
    ? nextStep('look at the target branch')
    : nextStep('look at it: git show', [commitId]);
}
