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
export { examineRepository, type RepositoryExamination } from './judge/examine-repository';
export { findUndoneHere, judgeHere, type LandingsHere, withLandingsHere } from './judge-here';
export { LineSteps } from './line-steps';
export type {
  AskedLanding,
  LandingStanding,
  LostPlace,
  StandingAnswer,
  StandingQuestion,
} from './standing/standing';
export { NetworkFault, readNetworks } from './transport/allowed-networks';
export type { GitRequest } from './transport/git-request';
export { isAddressAllowed } from './transport/guards';
export { isSaidRevert, type NamedLanding } from './undone/said-reverts';
export type { UndoneQuestion } from './undone/undone-by';
export type { UndoneFinding, UndoneUnknown, UndoneWindow, UndoneWork } from './undone/undone-work';
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
