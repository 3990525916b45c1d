export { validVerdicts } from './gate-run-verdict';
export {
  RELEASE_TRANSITIONS,
  RELEASE_TRIGGERS,
  type ReleaseEffect,
  releaseEffect,
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
  type ReviewTrigger,
  validTargetsByPatch,
} from './review-transitions';
