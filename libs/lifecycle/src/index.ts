export { renderStates } from './render-states';
export type { ReviewRefusal } from './review-effect';
export {
  buildTrigger,
  patchTrigger,
  REVIEW_TRIGGERS,
  reviewEffect,
  type ReviewTrigger,
  validTargetsByPatch,
} from './review-transitions';
