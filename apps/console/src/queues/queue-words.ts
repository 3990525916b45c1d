import { shellWord } from '../parts/shell-word';
import { clockText, counted, spanText } from '../parts/spans';
import type { QueueEstimate, QueueStatus, SlotActivity } from '../reads/shapes';

/** The activities in a slot, in words. */
const ACTIVITIES: Readonly<Record<SlotActivity, string>> = {
  IDLE: 'Nothing waits.',
  HEAD_NOT_ADVANCED: 'The slot is free, and the head is not promoted.',
  HEAD_BLOCKED: 'The slot is free, and the head has open threads.',
  NO_GATE_RUN: 'Its gate has not been started.',
  GATE_RUNNING: 'Its gate run has begun, and has no verdict yet.',
  GATE_PASSED_NOT_REPORTED: 'Its gate has passed, and the merge has not been reported.',
  GATE_FAILED_NOT_RECORDED: 'Its gate has failed, and the failed build has not been recorded.',
  GATE_INCONCLUSIVE: 'Its gate has reached no verdict so far.',
};

/** A newer service may know more words than this page. */
export const activityText = (activity: SlotActivity): string =>
  (ACTIVITIES as Readonly<Record<string, string>>)[activity] ?? activity;

/** Returns the next command for a person who is to move a queue; undefined while it moves by itself. */
export function slotCommand({ slot, targetBranch }: QueueStatus): string | undefined {
  const target = `--target-branch ${shellWord(targetBranch)}`;
  switch (slot.activity) {
    case 'HEAD_NOT_ADVANCED':
    case 'NO_GATE_RUN':
    case 'GATE_PASSED_NOT_REPORTED':
    case 'GATE_FAILED_NOT_RECORDED':
    case 'GATE_INCONCLUSIVE':
      return `plat drive ${target}`;
    case 'IDLE':
    case 'HEAD_BLOCKED':
    case 'GATE_RUNNING':
      return undefined;
  }
}

const NO_ESTIMATE: Readonly<Record<NonNullable<QueueEstimate['unavailable']>, string>> = {
  TOO_FEW_MERGES: 'this queue has had fewer than five merges',
  BLOCKED: 'it has open threads',
  HEAD_BLOCKED: 'the head has open threads',
  OVERDUE: 'the present turn takes longer than any of the last ones took',
};

/** When a review is expected to be MERGED: a range and what it rests on, or why there is none. */
export function estimateText(estimate: QueueEstimate, now: Date): string {
  const { earliest, likely, latest, basis, errorSeconds, unavailable } = estimate;
  if (!earliest || !likely || !latest) {
    return `no estimate: ${unavailable === undefined ? 'unknown' : NO_ESTIMATE[unavailable]}`;
  }
  const [from, most, to] = [earliest, likely, latest].map((at) => clockText(at, now));
  const error =
    errorSeconds === undefined ? '' : `; last week's were ${spanText(errorSeconds)} off in the median`;
  return `${from} to ${to}, likely ${most} (from ${counted(basis ?? 0, 'merge')}${error})`;
}

/** Describes the usual duration of merges of this queue, to compare with the age of the slot. */
export function paceText({ basis, measured, p50Seconds, p95Seconds }: QueueStatus['pace']): string {
  if (!measured) return `this queue has had ${counted(basis, 'merge')}, too few to say what is usual`;
  return `half of the last ${basis} merges took ${spanText(p50Seconds)} or less, 95 of 100 ${spanText(p95Seconds)} or less`;
}
