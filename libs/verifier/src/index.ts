export { TextChange, type Carrying } from './changes/text-change';
export { LineSteps } from './merge/line-steps';
export {
  defaultVerifierCaps,
  defaultVerifierConfig,
  embeddedVerifierConfig,
  type VerifierCaps,
  type VerifierConcurrency,
  type VerifierConfig,
} from './config';
export type { LandedContent } from './content/content-verdict';
export type { HistoryLanding, NotVerified, NotVerifiedReason, QueueLanding, Verdict } from './verdict';
export { Verifier, type VerifierOptions, type VerifyOptions } from './verifier';
export { verifierWorker } from './worker/worker-entry';
export { VerifierUnavailable } from './worker/unavailable';
