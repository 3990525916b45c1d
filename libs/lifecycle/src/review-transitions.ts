import type { BuildKind, ReviewStatus } from '@plat/contracts/core';
import { REVIEW_EFFECTS, type ReviewEffect, type ReviewEffectName } from './review-effect';

/**
 * Everything that acts on a review's status: a build report, a promotion (advance, override-advance or the
 * continuation of Rule B5) and a PATCH of the status. `PATCH_X_WITH_BUILD` is the PATCH that names a buildId;
 * where the id makes no difference there is one trigger.
 */
export const REVIEW_TRIGGERS = [
  'RECORDED_SUCCEEDED',
  'RECORDED_FAILED',
  'GATE_SUCCEEDED',
  'GATE_FAILED',
  'PROMOTE',
  'PATCH_OPEN',
  'PATCH_READY',
  'PATCH_READY_WITH_BUILD',
  'PATCH_FAILED',
  'PATCH_FAILED_WITH_BUILD',
  'PATCH_MERGE',
  'PATCH_MERGED',
  'PATCH_MERGED_WITH_BUILD',
  'PATCH_CLOSED',
] as const;

export type ReviewTrigger = (typeof REVIEW_TRIGGERS)[number];

/**
 * The review's state machine: what each trigger does to a review at each status.
 * PROMOTE acts on waiting reviews only. The queue itself checks the rest: head, free slot, threads. Spec: API, States and transitions; Rules B4, B5, B7, B8.
 */
// Each trigger has one line, so that the code reads as a table.
// prettier-ignore
const REVIEW_TRANSITIONS: Record<ReviewTrigger, Record<ReviewStatus, ReviewEffectName>> = {
  RECORDED_SUCCEEDED:      { OPEN: 'green',      FAILED: 'green',      READY: 'unchanged',  MERGE: 'unchanged', MERGED: 'unchanged',  CLOSED: 'unchanged' },
  RECORDED_FAILED:         { OPEN: 'failed',     FAILED: 'failed',     READY: 'failed',     MERGE: 'failed',    MERGED: 'unchanged',  CLOSED: 'unchanged' },
  GATE_SUCCEEDED:          { OPEN: 'unchanged',  FAILED: 'unchanged',  READY: 'unchanged',  MERGE: 'unchanged', MERGED: 'unchanged',  CLOSED: 'unchanged' },
  GATE_FAILED:             { OPEN: 'failed',     FAILED: 'failed',     READY: 'failed',     MERGE: 'failed',    MERGED: 'unchanged',  CLOSED: 'unchanged' },
  PROMOTE:                 { OPEN: 'unchanged',  FAILED: 'unchanged',  READY: 'promoted',   MERGE: 'unchanged', MERGED: 'unchanged',  CLOSED: 'unchanged' },
  PATCH_OPEN:              { OPEN: 'invalid',    FAILED: 'invalid',    READY: 'invalid',    MERGE: 'invalid',   MERGED: 'invalid',    CLOSED: 'invalid' },
  PATCH_READY:             { OPEN: 'notMerging', FAILED: 'notMerging', READY: 'notMerging', MERGE: 'requeued',  MERGED: 'notMerging', CLOSED: 'notMerging' },
  PATCH_READY_WITH_BUILD:  { OPEN: 'ready',      FAILED: 'ready',      READY: 'invalid',    MERGE: 'ready',     MERGED: 'invalid',    CLOSED: 'invalid' },
  PATCH_FAILED:            { OPEN: 'noBuildId',  FAILED: 'invalid',    READY: 'noBuildId',  MERGE: 'noBuildId', MERGED: 'invalid',    CLOSED: 'invalid' },
  PATCH_FAILED_WITH_BUILD: { OPEN: 'failed',     FAILED: 'invalid',    READY: 'failed',     MERGE: 'failed',    MERGED: 'invalid',    CLOSED: 'invalid' },
  PATCH_MERGE:             { OPEN: 'invalid',    FAILED: 'invalid',    READY: 'invalid',    MERGE: 'invalid',   MERGED: 'invalid',    CLOSED: 'invalid' },
  PATCH_MERGED:            { OPEN: 'reconciled', FAILED: 'reconciled', READY: 'reconciled', MERGE: 'noBuildId', MERGED: 'invalid',    CLOSED: 'invalid' },
  PATCH_MERGED_WITH_BUILD: { OPEN: 'reconciled', FAILED: 'reconciled', READY: 'reconciled', MERGE: 'merged',    MERGED: 'invalid',    CLOSED: 'invalid' },
  PATCH_CLOSED:            { OPEN: 'closed',     FAILED: 'closed',     READY: 'closed',     MERGE: 'invalid',   MERGED: 'invalid',    CLOSED: 'invalid' },
};

/** Returns the effect of the trigger on a review at this status. */
export function reviewEffect(status: ReviewStatus, trigger: ReviewTrigger): ReviewEffect {
  return REVIEW_EFFECTS[REVIEW_TRANSITIONS[trigger][status]];
}

/** The trigger of a build report. */
export function buildTrigger(build: { kind: BuildKind; successful: boolean }): ReviewTrigger {
  return `${build.kind}_${build.successful ? 'SUCCEEDED' : 'FAILED'}`;
}

/** The trigger of a PATCH of the status. */
export function patchTrigger(target: ReviewStatus, hasBuildId: boolean): ReviewTrigger {
  const namesBuild = target === 'READY' || target === 'FAILED' || target === 'MERGED';
  return hasBuildId && namesBuild ? `PATCH_${target}_WITH_BUILD` : `PATCH_${target}`;
}

/**
 * The statuses a PATCH may assert on a review at this status: `details.validTargets` of INVALID_TRANSITION.
 * Empty for MERGED and CLOSED. A status that may be asserted may also be asserted with a build. Rule B7.
 */
export function validTargetsByPatch(status: ReviewStatus): ReviewStatus[] {
  const targets: ReviewStatus[] = ['READY', 'FAILED', 'MERGED', 'CLOSED'];
  return targets.filter((target) => reviewEffect(status, patchTrigger(target, true)).kind === 'move');
}
