export { type Carrying, TextChange } from './changes/text-change';
export {
  defaultVerifierCaps,
  defaultVerifierConfig,
  embeddedVerifierConfig,
  type VerifierCaps,
  type VerifierConcurrency,
  type VerifierConfig,
} from './config';
export type { LandedContent } from './content/content-verdict';
export { LineSteps } from './line-steps';
export type { GitRequest } from './transport/git-request';
export { isAddressAllowed } from './transport/guards';
export type {
  BranchRead,
  HistoryLanding,
  NotVerified,
  NotVerifiedReason,
  QueueLanding,
  Verdict,
} from './verdict';
export { Verifier, type VerifierOptions, type VerifyOptions } from './verifier';
export { VerifierUnavailable } from './worker/unavailable';
export { verifierWorker } from './worker/worker-entry';
