export { validVerdicts } from './gate-run-verdict';
export {
  RELEASE_TRANSITIONS,
  RELEASE_TRIGGERS,
  releaseEffect,
  type ReleaseEffect,
  type ReleaseTrigger,
} from './release-transitions';
export { renderStates } from './render-states';
export type { ReviewEffect, ReviewMove, ReviewRefusal, ReviewUnchanged } from './review-effect';
export { isTerminal, REVIEW_STATUS_MEANING } from './review-status';
export {
  buildTrigger,
  patchTrigger,
  REVIEW_TRANSITIONS,
  REVIEW_TRIGGERS,
  reviewEffect,
  validTargetsByPatch,
  type ReviewTrigger,
} from './review-transitions';
