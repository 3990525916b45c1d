import type { ReleaseStatus } from '@plat/contracts/core';

/** REQUEST is POST /v1/releases for a commit that has a release; the rest is the runner's contract. */
export const RELEASE_TRIGGERS = ['REQUEST', 'CLAIM', 'SUCCEED', 'FAIL'] as const;

export type ReleaseTrigger = (typeof RELEASE_TRIGGERS)[number];

/** `to` is absent where the trigger changes nothing. */
export interface ReleaseEffect {
  to?: ReleaseStatus;
  /** The attempt is counted up; id and place are kept (Rule D2). */
  countsAttempt?: true;
  /** The field that the move sets. */
  sets?: 'version' | 'failureReason';
}

const UNCHANGED: ReleaseEffect = {};

/** A queued release is claimed, a running one completed; a failed one returns only by a request. */
// prettier-ignore
const RELEASE_TRANSITIONS: Record<ReleaseTrigger, Record<ReleaseStatus, ReleaseEffect>> = {
  REQUEST: { queued: UNCHANGED,         running: UNCHANGED,                               released: UNCHANGED, failed: { to: 'queued', countsAttempt: true } },
  CLAIM:   { queued: { to: 'running' }, running: UNCHANGED,                               released: UNCHANGED, failed: UNCHANGED },
  SUCCEED: { queued: UNCHANGED,         running: { to: 'released', sets: 'version' },     released: UNCHANGED, failed: UNCHANGED },
  FAIL:    { queued: UNCHANGED,         running: { to: 'failed', sets: 'failureReason' }, released: UNCHANGED, failed: UNCHANGED },
};

/** Returns the effect of the trigger on a release at this status. */
export function releaseEffect(status: ReleaseStatus, trigger: ReleaseTrigger): ReleaseEffect {
  return RELEASE_TRANSITIONS[trigger][status];
}
