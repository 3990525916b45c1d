// Written by `npm run generate` from the service's controllers. Do not edit.
import { type ApiClient, segment } from '../api-client';

export interface AddReviewer {
  /** A user of the review's tenant */
  userId: string;
}

export interface AdvanceMergeQueue {
  /** Remote of the repository whose head is meant */
  repository?: string;
  /** Target branch of the queue */
  targetBranch: string;
}

interface AttestationEnvelope {
  /** Type of the payload */
  payloadType: 'application/vnd.in-toto+json';
  /** The in-toto statement, JSON in base64 */
  payload: string;
  /** One signature, by the key of receipts */
  signatures: EnvelopeSignature[];
}

export interface CheckMergeQueue {
  /** Remote of the repository, which is read without credentials */
  repository: string;
  /** Target branch of the queue */
  targetBranch: string;
}

export interface Comment {
  /** Assigned by the service */
  commentId: string;
  /** The tenant that the comment belongs to */
  tenantId: string;
  /** The review that is commented on */
  reviewId: string;
  /** Who wrote it */
  creatorUserId: string;
  /** Status of the thread; present on its root comment only */
  status?: 'OPEN' | 'CLOSED';
  /** The root that a reply belongs to */
  parentCommentId?: string;
  /** The commit that is commented on */
  commitId: string;
  /** Path in the repository */
  filePath: string;
  /** Line of the file, from 1 */
  line: number;
  /** Text of the comment */
  body: string;
  /** RFC 3339 UTC */
  createdAt: string;
  /** RFC 3339 UTC */
  updatedAt: string;
}

export interface CreateComment {
  /** The root to reply to; a reply repeats its address */
  parentCommentId?: string;
  /** The commit that is commented on */
  commitId: string;
  /** Path in the repository */
  filePath: string;
  /** Line of the file, from 1 */
  line: number;
  /** Text of the comment */
  body: string;
}

export interface CreateGateRun {
  /** The branch that is gated */
  sourceBranch: string;
  /** The branch it is to land on */
  targetBranch: string;
  /** Tip of the source branch */
  sourceCommit: string;
  /** Required unless FAILED or INCONCLUSIVE */
  mergeCommit?: string;
  /** The review that is gated */
  reviewId?: string;
  /** RUNNING when absent */
  verdict?: 'RUNNING' | 'PASSED' | 'FAILED' | 'INCONCLUSIVE';
  /** Required for FAILED; dropped for RUNNING and PASSED */
  failingStep?: string;
  /** Where the log is */
  logRef?: string;
  /** Holds the run: refused while another held run of the review is RUNNING */
  holder?: string;
}

export interface CreateReview {
  /** Remote of the repository; canonicalized */
  repository?: string;
  /** Becomes the squash-merge message */
  name: string;
  /** The branch to merge */
  sourceBranch: string;
  /** The branch to merge onto */
  targetBranch: string;
}

interface DivergentLanding {
  /** The review */
  reviewId: string;
  /** Its name */
  name: string;
  /** The branch to merge */
  sourceBranch: string;
  /** Who created it */
  authorUserId: string;
  /** When it was MERGED, RFC 3339 UTC */
  landedAt: string;
}

interface EnvelopeSignature {
  /** Ed25519 signature over DSSE's encoding of type and payload, base64 */
  sig: string;
}

export interface GateRun {
  /** Assigned by the service */
  gateRunId: string;
  /** The tenant that the gate run belongs to */
  tenantId: string;
  /** The branch that is gated */
  sourceBranch: string;
  /** The branch it is to land on */
  targetBranch: string;
  /** Tip of the source branch */
  sourceCommit: string;
  /** The prospective merge commit that was tested; may be absent on FAILED and INCONCLUSIVE */
  mergeCommit?: string;
  /** The review that is gated, where there is one */
  reviewId?: string;
  /** Present with reviewId */
  reviewName?: string;
  /** INCONCLUSIVE: no real verdict was reached, worth re-driving */
  verdict: 'RUNNING' | 'PASSED' | 'FAILED' | 'INCONCLUSIVE';
  /** Always on FAILED */
  failingStep?: string;
  /** Where the log is, when available */
  logRef?: string;
  /** Who gates, where the run is held: the review has no other held run that is RUNNING */
  holder?: string;
  /** Who started it */
  creatorUserId: string;
  /** RFC 3339 UTC */
  createdAt: string;
  /** RFC 3339 UTC */
  updatedAt: string;
}

export interface GateRunPage {
  /** Newest first */
  gateRuns: GateRun[];
  /** Absent on the last page */
  nextCursor?: string;
}

export interface GateRunQuery {
  /** Target branch */
  targetBranch?: string;
  /** Source branch */
  sourceBranch?: string;
  /** Verdict */
  status?: 'RUNNING' | 'PASSED' | 'FAILED' | 'INCONCLUSIVE';
  /** Review */
  reviewId?: string;
  /** nextCursor of the page before */
  cursor?: string;
  /** Rows a page: 50 unless given, 200 at most */
  limit?: string;
}

export interface MergeAttestation {
  /** The receipt: its subject is the landed commit, its predicate urn:plat:merge-receipt:1 the merge statement, field by field */
  receipt: AttestationEnvelope;
  /** SLSA's verification summary of the landed commit for the source track; absent unless the content is EXACT or SAME_CHANGE and the remote has a URI */
  summary?: AttestationEnvelope;
}

interface MergeFinding {
  /** missing: the reviewed change is not there; undone: the target's own work is gone; altered: it is there, but not as it was; extra: it was not reviewed; by_hand: a person decided a conflict there, and no one has judged the lines; earlier: another commit brought a part of the review to this file before */
  kind: 'missing' | 'undone' | 'altered' | 'extra' | 'by_hand' | 'earlier';
  /** The file, its path cut after 300 characters; what cannot be printed is shown as ? */
  path: string;
  /** In which version of the file the lines are counted: the reviewed source's, the target's before the landing, or the landed one */
  in?: 'source' | 'target' | 'landed';
  /** First line; absent for a file as a whole */
  firstLine?: number;
  /** Last line, inclusive */
  lastLine?: number;
  /** The commit that brought a part before; only in a finding earlier */
  commitId?: string;
}

interface MergeInclusion {
  /** Place of the entry in the log, from 0 */
  index: number;
  /** The entry, byte for byte; its commitment `open` is SHA-256 of the salt and the statement */
  leaf: string;
  /** Salt of the commitment, base64 */
  salt: string;
  /** RFC 6962 audit path, base64, from the entry upwards */
  hashes: string[];
  /** The signed checkpoint of the log that has the entry (C2SP tlog-checkpoint) */
  checkpoint: string;
}

interface MergeQueueBlockers {
  /** OPEN comment threads */
  openThreads: number;
}

export interface MergeQueueCheck {
  /** Whether this service read the tip of the target branch */
  readable: boolean;
  /** Why it did not; the reason of a MERGED report at this moment. A closed port, a private host and a missing repository have the same one */
  reason?: 'remote_refused' | 'remote_unreadable' | 'remote_too_large' | 'branch_missing';
}

interface MergeQueueDurations {
  /** How many durations */
  basis: number;
  /** Mean, in seconds */
  meanSeconds?: number;
  /** Median, in seconds */
  p50Seconds?: number;
  /** 95th percentile, in seconds */
  p95Seconds?: number;
}

interface MergeQueueEntry {
  /** The review */
  reviewId: string;
  /** Its name */
  name: string;
  /** The branch to merge */
  sourceBranch: string;
  /** Who created it */
  authorUserId: string;
  /** Counted from 1, the head */
  position: number;
  /** When it entered the queue, RFC 3339 UTC */
  since: string;
  /** Causes that keep the review from being promoted; absent if there are none */
  blockedBy?: MergeQueueBlockers;
  /** When it will be MERGED */
  estimate: MergeQueueEstimate;
}

interface MergeQueueEstimate {
  /** One review in ten is MERGED before this time; to the minute */
  earliest?: string;
  /** Half of the reviews are MERGED before this time; to the minute */
  likely?: string;
  /** Nine reviews in ten are MERGED before this time; to the minute */
  latest?: string;
  /** How many of the last merges it is computed from */
  basis?: number;
  /** Median error of last week's estimates, in seconds; absent if there are none */
  errorSeconds?: number;
  /** Present instead of all others. TOO_FEW_MERGES: fewer than five. BLOCKED: it has open threads. HEAD_BLOCKED: the head has. OVERDUE: the present turn takes longer than any of the last ones took */
  unavailable?: 'TOO_FEW_MERGES' | 'BLOCKED' | 'HEAD_BLOCKED' | 'OVERDUE';
}

interface MergeQueueEstimateErrors {
  /** How many estimates: one a review that entered and was MERGED */
  estimates: number;
  /** Median distance of likely from the merge, in seconds */
  medianSeconds: number;
  /** How many merges were between earliest and latest */
  withinRange: number;
}

export interface MergeQueueFilters {
  /** Remote of the repository */
  repository?: string;
  /** Target branch */
  targetBranch?: string;
}

interface MergeQueueFlakyStep {
  /** As the gate runs name it */
  failingStep: string;
  /** Runs that ended at this step although another run of the same commit passed */
  flakyRuns: number;
  /** All runs that ended at this step */
  failingRuns: number;
  /** When the newest flaky run began */
  lastAt: string;
  /** The newest flaky run */
  lastGateRunId: string;
  /** Its log, if it names one */
  lastLogRef?: string;
}

interface MergeQueueOutcomes {
  /** Became READY by a build */
  entered: number;
  /** Promoted to MERGE, overrides included */
  promoted: number;
  /** Promoted over open threads */
  promotedByOverride: number;
  /** MERGED through the queue */
  merged: number;
  /** MERGED without the queue */
  reconciled: number;
  /** FAILED by a GATE build */
  gateFailed: number;
  /** FAILED by another build, whether in the queue or not */
  buildFailed: number;
  /** Put back from MERGE to the tail */
  requeued: number;
  /** CLOSED */
  closed: number;
}

interface MergeQueuePace {
  /** How many of the last merges it is computed from, 30 at most */
  basis: number;
  /** false: fewer than five merges, so the times are defaults */
  measured: boolean;
  /** Median from MERGE to MERGED, in seconds */
  p50Seconds: number;
  /** 95th percentile from MERGE to MERGED, in seconds */
  p95Seconds: number;
  /** The slot is LATE after this time: p95Seconds, at least 60 */
  lateAfterSeconds: number;
  /** The slot is STUCK after this time: three times lateAfterSeconds, at least 300 */
  stuckAfterSeconds: number;
  /** Absent if none of last week's estimates can be judged */
  errors?: MergeQueueEstimateErrors;
}

interface MergeQueueReview {
  /** The review */
  reviewId: string;
  /** Its name */
  name: string;
  /** The branch to merge */
  sourceBranch: string;
  /** Who created it */
  authorUserId: string;
}

interface MergeQueueSlot {
  /** The review at MERGE; absent if the slot is free */
  review?: MergeQueueReview;
  /** When the review was promoted; for a free slot, since when the head could have been. Absent if nothing waits */
  since?: string;
  /** IDLE: nothing waits. HEAD_NOT_ADVANCED: the slot is free and the head is not promoted. HEAD_BLOCKED: it is free and the head has open threads. NO_GATE_RUN: no gate run since the promotion. GATE_RUNNING: one runs. GATE_PASSED_NOT_REPORTED: it passed, and MERGED is not reported. GATE_FAILED_NOT_RECORDED: it failed, and no failed GATE build is recorded. GATE_INCONCLUSIVE: no run has reached a verdict */
  activity:
    | 'IDLE'
    | 'HEAD_NOT_ADVANCED'
    | 'HEAD_BLOCKED'
    | 'NO_GATE_RUN'
    | 'GATE_RUNNING'
    | 'GATE_PASSED_NOT_REPORTED'
    | 'GATE_FAILED_NOT_RECORDED'
    | 'GATE_INCONCLUSIVE';
  /** The gate run that says so */
  gateRunId?: string;
  /** When that gate run began, or was decided; present with gateRunId */
  gateRunSince?: string;
  /** ON_TIME; LATE after lateAfterSeconds and STUCK after stuckAfterSeconds, counted from gateRunSince if a gate run says the activity, else from since, and LATE only if the pace is measured; BLOCKED while the head has open threads */
  health: 'ON_TIME' | 'LATE' | 'STUCK' | 'BLOCKED';
  /** Why it is LATE, STUCK or BLOCKED; absent if it is ON_TIME */
  cause?:
    | 'IDLE'
    | 'HEAD_NOT_ADVANCED'
    | 'HEAD_BLOCKED'
    | 'NO_GATE_RUN'
    | 'GATE_RUNNING'
    | 'GATE_PASSED_NOT_REPORTED'
    | 'GATE_FAILED_NOT_RECORDED'
    | 'GATE_INCONCLUSIVE';
  /** When the review at MERGE will be MERGED; absent if the slot is free */
  estimate?: MergeQueueEstimate;
}

export interface MergeQueueStatistics {
  /** Target branch of the queue */
  targetBranch: string;
  /** Canonical identity of the repository; absent if no move names one */
  repository?: string;
  /** RFC 3339 UTC, inclusive */
  since: string;
  /** RFC 3339 UTC, inclusive */
  until: string;
  /** Counted over the whole time */
  outcomes: MergeQueueOutcomes;
  /** Time from READY to MERGE, of the newest 200 merges in the time through the queue */
  readyToMerge: MergeQueueDurations;
  /** Time from MERGE to MERGED, of the same merges */
  mergeToMerged: MergeQueueDurations;
  /** Time from READY to MERGED, of the same merges */
  readyToMerged: MergeQueueDurations;
  /** Steps at which the newest 400 runs onto the target branch ended; the flakiest first, 50 at most */
  flakySteps: MergeQueueFlakyStep[];
}

export interface MergeQueueStatisticsQuery {
  /** Remote of the repository; required if reviews of several repositories wait */
  repository?: string;
  /** Target branch of the queue */
  targetBranch: string;
  /** RFC 3339, inclusive; 30 days before until unless given, 90 days before it at most */
  since?: string;
  /** RFC 3339, inclusive; now unless given */
  until?: string;
}

export interface MergeQueueStatus {
  /** Target branch of the queue */
  targetBranch: string;
  /** Canonical identity of the repository; absent if none is named or waits */
  repository?: string;
  /** Raised by every move of a review onto this target branch; 0 if there was none */
  version: number;
  /** The slot of the queue */
  slot: MergeQueueSlot;
  /** How long this queue takes, by its last merges */
  pace: MergeQueuePace;
  /** Landings among the last 30 whose content is DIVERGENT, newest first; absent if there is none */
  divergent?: DivergentLanding[];
  /** The reviews that wait, in queue order */
  entries: MergeQueueEntry[];
  /** Absent on the last page */
  nextCursor?: string;
}

export interface MergeQueueStatusQuery {
  /** Remote of the repository; required if reviews of several repositories wait */
  repository?: string;
  /** Target branch of the queue */
  targetBranch: string;
  /** nextCursor of the page before */
  cursor?: string;
  /** Entries a page: 50 unless given, 200 at most */
  limit?: string;
}

export interface MergeReceipt {
  /** Version of the statement: what its fields are and mean */
  statementVersion: number;
  /** The tenant that the review belongs to */
  tenantId: string;
  /** The review that is MERGED */
  reviewId: string;
  /** Name of the review */
  name: string;
  /** Where the repository was read, without credentials */
  remoteUrl: string;
  /** The branch that was reviewed */
  sourceBranch: string;
  /** The branch it landed on */
  targetBranch: string;
  /** Merged through the queue, or found landed */
  route: 'queue' | 'reconciled';
  /** The conditions of the contract that were judged and met */
  conditions: string[];
  /** Tip of the target branch as it was read */
  targetTip: string;
  /** The commit that landed, where it is known */
  commitId?: string;
  /** The commit that brought the reviewed change, where it is not the reported one; the verdict is about this commit */
  landedCommitId?: string;
  /** First parent of the commit */
  parentCommitId?: string;
  /** Tree of the commit */
  treeId?: string;
  /** The merge commit before it in the queue, of which it is a descendant */
  anchorCommitId?: string;
  /** Tip of the source branch as it was read */
  sourceTip?: string;
  /** The GATE build accepted with MERGED */
  buildId?: string;
  /** Whether the landed content is the reviewed one: EXACT the merge of the source, SAME_CHANGE commit by commit or in another commit, BY_HAND with decisions of a person that are named, DIVERGENT otherwise, UNKNOWN not computed */
  contentVerdict: 'EXACT' | 'SAME_CHANGE' | 'BY_HAND' | 'DIVERGENT' | 'UNKNOWN';
  /** Why the verdict is not EXACT */
  contentReason?:
    | 'rebased'
    | 'other_commit'
    | 'several_merge_bases'
    | 'conflict_resolved'
    | 'earlier_commits'
    | 'source_change_missing'
    | 'target_change_undone'
    | 'extra_content'
    | 'layout'
    | 'source_missing'
    | 'source_merged_before'
    | 'landing_not_found'
    | 'no_parent'
    | 'octopus'
    | 'unrelated_history'
    | 'too_tangled'
    | 'remote_refused'
    | 'remote_unreadable'
    | 'remote_too_large'
    | 'out_of_time'
    | 'not_computed';
  /** The older commit of the target branch on which the landing was built, if it was built on one */
  builtOnCommitId?: string;
  /** Where the landing is not what was reviewed, the worst first, at most 20 */
  findings?: MergeFinding[];
  /** How many more findings there are than are listed */
  findingsLeftOut?: number;
  /** When the content was judged, if it could not be judged when the merge was verified */
  contentJudgedAt?: string;
  /** When it was verified, RFC 3339 UTC */
  verifiedAt: string;
  /** Compact JWS (EdDSA over Ed25519) whose payload is this object without jws, inclusion and undoneWork; kid is the RFC 7638 thumbprint of its key */
  jws: string;
  /** Proof that the statement is sealed; absent until it is, which takes a minute at most */
  inclusion?: MergeInclusion;
  /** What it takes back of earlier landings, found after the merge and not signed, and what later ones took back */
  undoneWork: UndoneWork;
}

interface MergeReceiptKey {
  /** Key type */
  kty: 'OKP';
  /** Curve */
  crv: 'Ed25519';
  /** The key itself, base64url */
  x: string;
  /** RFC 7638 thumbprint */
  kid: string;
  /** Signature algorithm */
  alg: 'EdDSA';
  /** Use of the key: signatures */
  use: 'sig';
}

export interface MergeReceiptKeySet {
  /** Empty when the deployment signs no receipts */
  keys: MergeReceiptKey[];
}

export interface OverrideAdvanceMergeQueue {
  /** Remote of the repository whose head is meant */
  repository?: string;
  /** Target branch of the queue */
  targetBranch: string;
  /** Why the open threads are passed over; kept in the audit trail */
  reason: string;
}

export interface Review {
  /** Assigned by the service */
  reviewId: string;
  /** The tenant that the review belongs to */
  tenantId: string;
  /** The caller that created the review */
  authorUserId: string;
  /** Becomes the squash-merge message */
  name: string;
  /** Canonical identity of the repository; absent when none is recorded */
  repository?: string;
  /** The branch to merge onto */
  targetBranch: string;
  /** The branch to merge */
  sourceBranch: string;
  /** Where the review stands */
  status: 'OPEN' | 'CLOSED' | 'FAILED' | 'READY' | 'MERGE' | 'MERGED';
  /** The failed build that moved the review to FAILED */
  lastFailedBuildId?: string;
  /** The successful build that moved the review to READY */
  lastReadyBuildId?: string;
  /** The GATE build accepted with MERGED */
  lastMergedBuildId?: string;
  /** Whether the landed content is the reviewed one, as the receipt says; DIVERGENT: it is not. Present on a MERGED review that is read or listed */
  contentVerdict?: 'EXACT' | 'SAME_CHANGE' | 'BY_HAND' | 'DIVERGENT' | 'UNKNOWN';
  /** The number of the issue that the source branch names */
  issueRef?: string;
  /** Present exactly with issueRef */
  issueRefSource?: 'INFERRED' | 'DECLARED';
  /** RFC 3339 UTC */
  createdAt: string;
  /** RFC 3339 UTC */
  updatedAt: string;
}

interface ReviewEvent {
  /** RFC 3339 UTC */
  at: string;
  /** Absent with CREATED */
  from?: 'OPEN' | 'CLOSED' | 'FAILED' | 'READY' | 'MERGE' | 'MERGED';
  /** The status that it moved to */
  to: 'OPEN' | 'CLOSED' | 'FAILED' | 'READY' | 'MERGE' | 'MERGED';
  /** Cause of the move */
  cause:
    | 'CREATED'
    | 'BUILD_SUCCEEDED'
    | 'BUILD_FAILED'
    | 'GATE_FAILED'
    | 'PROMOTED'
    | 'PROMOTED_BY_OVERRIDE'
    | 'REQUEUED'
    | 'MERGED'
    | 'RECONCILED'
    | 'CLOSED';
  /** Who caused it */
  actorUserId: string;
  /** The name of who caused it */
  actorUsername: string;
  /** The build that is the cause, or was accepted with MERGED */
  buildId?: string;
  /** Given with PROMOTED_BY_OVERRIDE */
  reason?: string;
  /** Its place in the line: the lower one is promoted first */
  ticket?: number;
  /** The version of the queue; absent with CREATED */
  queueVersion?: number;
}

export interface ReviewFilters {
  /** Remote of the repository */
  repository?: string;
  /** Target branch */
  targetBranch?: string;
  /** Source branch */
  sourceBranch?: string;
  /** Status */
  status?: 'OPEN' | 'CLOSED' | 'FAILED' | 'READY' | 'MERGE' | 'MERGED';
  /** Who created the review */
  authorUserId?: string;
  /** Who is assigned to review it */
  reviewerUserId?: string;
  /** The commit that was accepted as its merge through the queue */
  mergedCommitId?: string;
}

export interface ReviewHistory {
  /** Newest first */
  events: ReviewEvent[];
  /** Absent on the last page */
  nextCursor?: string;
}

export interface ReviewHistoryQuery {
  /** nextCursor of the page before */
  cursor?: string;
  /** Rows a page: 50 unless given, 200 at most */
  limit?: string;
}

export interface Reviewer {
  /** The tenant of review and user alike */
  tenantId: string;
  /** The review */
  reviewId: string;
  /** The user who is to review it */
  userId: string;
  /** RFC 3339 UTC */
  createdAt: string;
  /** RFC 3339 UTC */
  updatedAt: string;
}

interface UndoneFinding {
  /** The review on the other side; absent if its landing is no review of the queue */
  reviewId?: string;
  /** Name of that review */
  reviewName?: string;
  /** The commit of the landing on the other side */
  commitId: string;
  /** The file, its path cut after 300 characters; what cannot be printed is shown as ? */
  path: string;
  /** The version of the file that has the lines: the target's before the later landing, or the landed one, which has them again */
  in?: 'target' | 'landed';
  /** First line; absent for a file as a whole */
  firstLine?: number;
  /** Last line, inclusive */
  lastLine?: number;
  /** dropped_by_merge: a merge of the target into the source lost it, outside of any conflict; dropped_in_conflict: such a merge, or the landing, lost it in the place of a conflict; dropped_by_landing: the landing itself lost it; restored: a commit of the source brought back the state before; deleted: a commit of the source removed it */
  kind: 'dropped_by_merge' | 'dropped_in_conflict' | 'dropped_by_landing' | 'restored' | 'deleted';
  /** How certain it is that the author of the later review did not mean it */
  certainty: 'sure' | 'likely' | 'possible';
  /** The commit of the later review's source that did it; absent if it was the landing */
  sourceCommitId?: string;
}

interface UndoneWindow {
  /** Number of these landings */
  landings: number;
  /** The oldest of them; absent if there is none */
  oldestCommitId?: string;
  /** Whether they are all since the source parted from the target, and all of 30 days */
  isComplete: boolean;
}

interface UndoneWork {
  /** When the merge was compared with the landings before it; absent until then */
  examinedAt?: string;
  /** Why it could not be compared; then there are no findings */
  unknown?: string;
  /** The places at which it takes back earlier work without saying so, the surest first, at most 100 */
  findings: UndoneFinding[];
  /** How many more findings there are than are listed */
  findingsLeftOut?: number;
  /** The places at which it takes back earlier work as the review says that it reverts it */
  reverts: UndoneFinding[];
  /** The landings with which it was compared; absent if it was not compared */
  window?: UndoneWindow;
  /** The places at which later merges took back its work without saying so, the oldest first, at most 100 */
  undoneBy: UndoneFinding[];
  /** The places at which later merges took back its work as their reviews say that they revert it */
  revertedBy: UndoneFinding[];
}

export interface UpdateCommentStatus {
  /** CLOSED resolves the thread, OPEN reopens it */
  status: 'OPEN' | 'CLOSED';
}

export interface UpdateGateRun {
  /** Verdict of the run */
  verdict: 'PASSED' | 'FAILED' | 'INCONCLUSIVE';
  /** Required for FAILED; dropped for PASSED */
  failingStep?: string;
  /** Where the log is; kept as it was when absent */
  logRef?: string;
}

export interface UpdateReviewStatus {
  /** The status that the review is to have */
  status: 'OPEN' | 'CLOSED' | 'FAILED' | 'READY' | 'MERGE' | 'MERGED';
  /** The build that proves it */
  buildId?: string;
  /** Where the merge can be read; with MERGED only */
  remoteUrl?: string;
}

const REVIEW_ANSWER = {
  reviewId: 'id',
  tenantId: 'id',
  authorUserId: 'id',
  name: 'string',
  repository: 'string?',
  targetBranch: 'string',
  sourceBranch: 'string',
  status: 'string',
  lastFailedBuildId: 'id?',
  lastReadyBuildId: 'id?',
  lastMergedBuildId: 'id?',
  contentVerdict: 'string?',
  issueRef: 'string?',
  issueRefSource: 'string?',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const MERGE_QUEUE_REVIEW_ANSWER = {
  reviewId: 'id',
  name: 'string',
  sourceBranch: 'string',
  authorUserId: 'id',
} as const;

const MERGE_QUEUE_ESTIMATE_ANSWER = {
  earliest: 'time?',
  likely: 'time?',
  latest: 'time?',
  basis: 'integer?',
  errorSeconds: 'number?',
  unavailable: 'string?',
} as const;

const MERGE_QUEUE_SLOT_ANSWER = {
  review: { object: MERGE_QUEUE_REVIEW_ANSWER, optional: true },
  since: 'time?',
  activity: 'string',
  gateRunId: 'id?',
  gateRunSince: 'time?',
  health: 'string',
  cause: 'string?',
  estimate: { object: MERGE_QUEUE_ESTIMATE_ANSWER, optional: true },
} as const;

const MERGE_QUEUE_ESTIMATE_ERRORS_ANSWER = {
  estimates: 'integer',
  medianSeconds: 'number',
  withinRange: 'integer',
} as const;

const MERGE_QUEUE_PACE_ANSWER = {
  basis: 'integer',
  measured: 'boolean',
  p50Seconds: 'number',
  p95Seconds: 'number',
  lateAfterSeconds: 'number',
  stuckAfterSeconds: 'number',
  errors: { object: MERGE_QUEUE_ESTIMATE_ERRORS_ANSWER, optional: true },
} as const;

const DIVERGENT_LANDING_ANSWER = {
  reviewId: 'id',
  name: 'string',
  sourceBranch: 'string',
  authorUserId: 'id',
  landedAt: 'time',
} as const;

const MERGE_QUEUE_BLOCKERS_ANSWER = { openThreads: 'integer' } as const;

const MERGE_QUEUE_ENTRY_ANSWER = {
  reviewId: 'id',
  name: 'string',
  sourceBranch: 'string',
  authorUserId: 'id',
  position: 'integer',
  since: 'time',
  blockedBy: { object: MERGE_QUEUE_BLOCKERS_ANSWER, optional: true },
  estimate: { object: MERGE_QUEUE_ESTIMATE_ANSWER },
} as const;

const MERGE_QUEUE_STATUS_ANSWER = {
  targetBranch: 'string',
  repository: 'string?',
  version: 'integer',
  slot: { object: MERGE_QUEUE_SLOT_ANSWER },
  pace: { object: MERGE_QUEUE_PACE_ANSWER },
  divergent: { listOf: DIVERGENT_LANDING_ANSWER, optional: true },
  entries: { listOf: MERGE_QUEUE_ENTRY_ANSWER },
  nextCursor: 'string?',
} as const;

const MERGE_QUEUE_OUTCOMES_ANSWER = {
  entered: 'integer',
  promoted: 'integer',
  promotedByOverride: 'integer',
  merged: 'integer',
  reconciled: 'integer',
  gateFailed: 'integer',
  buildFailed: 'integer',
  requeued: 'integer',
  closed: 'integer',
} as const;

const MERGE_QUEUE_DURATIONS_ANSWER = {
  basis: 'integer',
  meanSeconds: 'number?',
  p50Seconds: 'number?',
  p95Seconds: 'number?',
} as const;

const MERGE_QUEUE_FLAKY_STEP_ANSWER = {
  failingStep: 'string',
  flakyRuns: 'integer',
  failingRuns: 'integer',
  lastAt: 'time',
  lastGateRunId: 'id',
  lastLogRef: 'string?',
} as const;

const MERGE_QUEUE_STATISTICS_ANSWER = {
  targetBranch: 'string',
  repository: 'string?',
  since: 'time',
  until: 'time',
  outcomes: { object: MERGE_QUEUE_OUTCOMES_ANSWER },
  readyToMerge: { object: MERGE_QUEUE_DURATIONS_ANSWER },
  mergeToMerged: { object: MERGE_QUEUE_DURATIONS_ANSWER },
  readyToMerged: { object: MERGE_QUEUE_DURATIONS_ANSWER },
  flakySteps: { listOf: MERGE_QUEUE_FLAKY_STEP_ANSWER },
} as const;

const MERGE_QUEUE_CHECK_ANSWER = { readable: 'boolean', reason: 'string?' } as const;

const REVIEW_EVENT_ANSWER = {
  at: 'time',
  from: 'string?',
  to: 'string',
  cause: 'string',
  actorUserId: 'id',
  actorUsername: 'string',
  buildId: 'id?',
  reason: 'string?',
  ticket: 'integer?',
  queueVersion: 'integer?',
} as const;

const REVIEW_HISTORY_ANSWER = { events: { listOf: REVIEW_EVENT_ANSWER }, nextCursor: 'string?' } as const;

const REVIEWER_ANSWER = {
  tenantId: 'id',
  reviewId: 'id',
  userId: 'id',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const COMMENT_ANSWER = {
  commentId: 'id',
  tenantId: 'id',
  reviewId: 'id',
  creatorUserId: 'id',
  status: 'string?',
  parentCommentId: 'id?',
  commitId: 'string',
  filePath: 'string',
  line: 'integer',
  body: 'string',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const GATE_RUN_ANSWER = {
  gateRunId: 'id',
  tenantId: 'id',
  sourceBranch: 'string',
  targetBranch: 'string',
  sourceCommit: 'string',
  mergeCommit: 'string?',
  reviewId: 'id?',
  reviewName: 'string?',
  verdict: 'string',
  failingStep: 'string?',
  logRef: 'string?',
  holder: 'string?',
  creatorUserId: 'id',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const GATE_RUN_PAGE_ANSWER = { gateRuns: { listOf: GATE_RUN_ANSWER }, nextCursor: 'string?' } as const;

const MERGE_FINDING_ANSWER = {
  kind: 'string',
  path: 'string',
  in: 'string?',
  firstLine: 'integer?',
  lastLine: 'integer?',
  commitId: 'string?',
} as const;

const MERGE_INCLUSION_ANSWER = {
  index: 'integer',
  leaf: 'string',
  salt: 'string',
  hashes: { listOf: 'string' },
  checkpoint: 'string',
} as const;

const UNDONE_FINDING_ANSWER = {
  reviewId: 'id?',
  reviewName: 'string?',
  commitId: 'string',
  path: 'string',
  in: 'string?',
  firstLine: 'integer?',
  lastLine: 'integer?',
  kind: 'string',
  certainty: 'string',
  sourceCommitId: 'string?',
} as const;

const UNDONE_WINDOW_ANSWER = {
  landings: 'integer',
  oldestCommitId: 'string?',
  isComplete: 'boolean',
} as const;

const UNDONE_WORK_ANSWER = {
  examinedAt: 'time?',
  unknown: 'string?',
  findings: { listOf: UNDONE_FINDING_ANSWER },
  findingsLeftOut: 'integer?',
  reverts: { listOf: UNDONE_FINDING_ANSWER },
  window: { object: UNDONE_WINDOW_ANSWER, optional: true },
  undoneBy: { listOf: UNDONE_FINDING_ANSWER },
  revertedBy: { listOf: UNDONE_FINDING_ANSWER },
} as const;

const MERGE_RECEIPT_ANSWER = {
  statementVersion: 'integer',
  tenantId: 'id',
  reviewId: 'id',
  name: 'string',
  remoteUrl: 'string',
  sourceBranch: 'string',
  targetBranch: 'string',
  route: 'string',
  conditions: { listOf: 'string' },
  targetTip: 'string',
  commitId: 'string?',
  landedCommitId: 'string?',
  parentCommitId: 'string?',
  treeId: 'string?',
  anchorCommitId: 'string?',
  sourceTip: 'string?',
  buildId: 'id?',
  contentVerdict: 'string',
  contentReason: 'string?',
  builtOnCommitId: 'string?',
  findings: { listOf: MERGE_FINDING_ANSWER, optional: true },
  findingsLeftOut: 'integer?',
  contentJudgedAt: 'time?',
  verifiedAt: 'time',
  jws: 'string',
  inclusion: { object: MERGE_INCLUSION_ANSWER, optional: true },
  undoneWork: { object: UNDONE_WORK_ANSWER },
} as const;

const MERGE_RECEIPT_KEY_ANSWER = {
  kty: 'string',
  crv: 'string',
  x: 'string',
  kid: 'string',
  alg: 'string',
  use: 'string',
} as const;

const MERGE_RECEIPT_KEY_SET_ANSWER = { keys: { listOf: MERGE_RECEIPT_KEY_ANSWER } } as const;

const ENVELOPE_SIGNATURE_ANSWER = { sig: 'string' } as const;

const ATTESTATION_ENVELOPE_ANSWER = {
  payloadType: 'string',
  payload: 'string',
  signatures: { listOf: ENVELOPE_SIGNATURE_ANSWER },
} as const;

const MERGE_ATTESTATION_ANSWER = {
  receipt: { object: ATTESTATION_ENVELOPE_ANSWER },
  summary: { object: ATTESTATION_ENVELOPE_ANSWER, optional: true },
} as const;

/** The answers of the routes when they succeed. */
export const REVIEWS_ANSWERS = {
  'GET /v1/reviews/merge-queue': { statuses: [200], body: { many: REVIEW_ANSWER } },
  'GET /v1/reviews/merge-queue/status': { statuses: [200], body: { one: MERGE_QUEUE_STATUS_ANSWER } },
  'GET /v1/reviews/merge-queue/statistics': { statuses: [200], body: { one: MERGE_QUEUE_STATISTICS_ANSWER } },
  'POST /v1/reviews/merge-queue/advance': { statuses: [200], body: { one: REVIEW_ANSWER } },
  'POST /v1/reviews/merge-queue/check': { statuses: [200], body: { one: MERGE_QUEUE_CHECK_ANSWER } },
  'POST /v1/reviews/merge-queue/override-advance': { statuses: [200], body: { one: REVIEW_ANSWER } },
  'GET /v1/reviews': { statuses: [200], body: { many: REVIEW_ANSWER } },
  'POST /v1/reviews': { statuses: [201], body: { one: REVIEW_ANSWER }, keyed: true },
  'GET /v1/reviews/{review_id}': { statuses: [200], body: { one: REVIEW_ANSWER } },
  'GET /v1/reviews/{review_id}/history': { statuses: [200], body: { one: REVIEW_HISTORY_ANSWER } },
  'PATCH /v1/reviews/{review_id}/status': { statuses: [200], body: { one: REVIEW_ANSWER } },
  'GET /v1/reviews/{review_id}/reviewers': { statuses: [200], body: { many: REVIEWER_ANSWER } },
  'POST /v1/reviews/{review_id}/reviewers': { statuses: [201], body: { one: REVIEWER_ANSWER } },
  'DELETE /v1/reviews/{review_id}/reviewers/{user_id}': { statuses: [204], body: 'nothing' },
  'GET /v1/reviews/{review_id}/comments': { statuses: [200], body: { many: COMMENT_ANSWER } },
  'POST /v1/reviews/{review_id}/comments': { statuses: [201], body: { one: COMMENT_ANSWER }, keyed: true },
  'PATCH /v1/reviews/{review_id}/comments/{comment_id}/status': {
    statuses: [200],
    body: { one: COMMENT_ANSWER },
  },
  'GET /v1/gate-runs': { statuses: [200], body: { one: GATE_RUN_PAGE_ANSWER } },
  'POST /v1/gate-runs': { statuses: [201], body: { one: GATE_RUN_ANSWER }, keyed: true },
  'GET /v1/gate-runs/{gate_run_id}': { statuses: [200], body: { one: GATE_RUN_ANSWER } },
  'PATCH /v1/gate-runs/{gate_run_id}': { statuses: [200], body: { one: GATE_RUN_ANSWER } },
  'GET /v1/reviews/{review_id}/merge-receipt': { statuses: [200], body: { one: MERGE_RECEIPT_ANSWER } },
  'GET /v1/merge-receipt-keys': { statuses: [200], body: { one: MERGE_RECEIPT_KEY_SET_ANSWER } },
  'GET /v1/reviews/{review_id}/merge-attestation': {
    statuses: [200],
    body: { one: MERGE_ATTESTATION_ANSWER },
  },
} as const;

/**
 * List the reviews that wait, in queue order. `GET /v1/reviews/merge-queue`
 *
 * @throws ApiFault INVALID_QUERY, INVALID_REPOSITORY
 */
export function listMergeQueue(api: ApiClient, input: { query?: MergeQueueFilters } = {}): Promise<Review[]> {
  return api.send({
    method: 'GET',
    path: '/v1/reviews/merge-queue',
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/merge-queue'],
  });
}

/**
 * Show the state of a queue: its slot, and each waiting review with its wait, its cause and an estimate. `GET /v1/reviews/merge-queue/status`
 *
 * @throws ApiFault INVALID_QUERY, INVALID_REPOSITORY, MERGE_QUEUE_AMBIGUOUS
 */
export function getMergeQueueStatus(
  api: ApiClient,
  input: { query?: MergeQueueStatusQuery } = {},
): Promise<MergeQueueStatus> {
  return api.send({
    method: 'GET',
    path: '/v1/reviews/merge-queue/status',
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/merge-queue/status'],
  });
}

/**
 * Count the outcomes of a queue, with their durations and the flaky steps of its gate. `GET /v1/reviews/merge-queue/statistics`
 *
 * @throws ApiFault INVALID_QUERY, INVALID_REPOSITORY, MERGE_QUEUE_AMBIGUOUS
 */
export function getMergeQueueStatistics(
  api: ApiClient,
  input: { query?: MergeQueueStatisticsQuery } = {},
): Promise<MergeQueueStatistics> {
  return api.send({
    method: 'GET',
    path: '/v1/reviews/merge-queue/statistics',
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/merge-queue/statistics'],
  });
}

/**
 * Promote the head of a queue to MERGE. `POST /v1/reviews/merge-queue/advance`
 *
 * @throws ApiFault INVALID_BODY, INVALID_TARGET_BRANCH, INVALID_REPOSITORY, EMPTY_QUEUE, MERGE_QUEUE_OCCUPIED, MERGE_QUEUE_AMBIGUOUS
 */
export function advanceMergeQueue(api: ApiClient, input: { body: AdvanceMergeQueue }): Promise<Review> {
  return api.send({
    method: 'POST',
    path: '/v1/reviews/merge-queue/advance',
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/reviews/merge-queue/advance'],
  });
}

/**
 * Read the target branch of a queue as a verification would, to learn whether its merges can be verified. `POST /v1/reviews/merge-queue/check`
 *
 * @throws ApiFault INVALID_BODY, INVALID_TARGET_BRANCH, INVALID_REPOSITORY
 */
export function checkMergeQueue(api: ApiClient, input: { body: CheckMergeQueue }): Promise<MergeQueueCheck> {
  return api.send({
    method: 'POST',
    path: '/v1/reviews/merge-queue/check',
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/reviews/merge-queue/check'],
  });
}

/**
 * Promote the head of a queue although it has open comment threads. `POST /v1/reviews/merge-queue/override-advance`
 *
 * @throws ApiFault INVALID_BODY, INVALID_TARGET_BRANCH, INVALID_REPOSITORY, EMPTY_QUEUE, MERGE_QUEUE_OCCUPIED, MERGE_QUEUE_AMBIGUOUS
 */
export function overrideAdvanceMergeQueue(
  api: ApiClient,
  input: { body: OverrideAdvanceMergeQueue },
): Promise<Review> {
  return api.send({
    method: 'POST',
    path: '/v1/reviews/merge-queue/override-advance',
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/reviews/merge-queue/override-advance'],
  });
}

/**
 * List reviews, newest first. `GET /v1/reviews`
 *
 * @throws ApiFault INVALID_QUERY, INVALID_REPOSITORY
 */
export function listReviews(api: ApiClient, input: { query?: ReviewFilters } = {}): Promise<Review[]> {
  return api.send({
    method: 'GET',
    path: '/v1/reviews',
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/reviews'],
  });
}

/**
 * Propose a source branch onto a target branch. `POST /v1/reviews`
 *
 * @throws ApiFault INVALID_BODY, INVALID_REPOSITORY, CONFLICT, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
 */
export function createReview(api: ApiClient, input: { body: CreateReview }): Promise<Review> {
  return api.send({
    method: 'POST',
    path: '/v1/reviews',
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/reviews'],
  });
}

/**
 * Show one review. `GET /v1/reviews/{review_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function getReview(api: ApiClient, input: { reviewId: string }): Promise<Review> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}`,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/{review_id}'],
    about: { reviewId: input.reviewId },
  });
}

/**
 * Page through the moves of a review, newest first. `GET /v1/reviews/{review_id}/history`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_QUERY, NOT_FOUND
 */
export function getReviewHistory(
  api: ApiClient,
  input: { reviewId: string; query?: ReviewHistoryQuery },
): Promise<ReviewHistory> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/history`,
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/{review_id}/history'],
  });
}

/**
 * Report the outcome of a review. `PATCH /v1/reviews/{review_id}/status`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, INVALID_TRANSITION, NOT_FOUND, REVIEW_NOT_MERGING, MERGE_NOT_VERIFIED, CONFLICT
 */
export function updateReviewStatus(
  api: ApiClient,
  input: { reviewId: string; body: UpdateReviewStatus },
): Promise<Review> {
  return api.send({
    method: 'PATCH',
    path: `/v1/reviews/${segment(input.reviewId)}/status`,
    body: input.body,
    expected: REVIEWS_ANSWERS['PATCH /v1/reviews/{review_id}/status'],
    about: { reviewId: input.reviewId },
  });
}

/**
 * List the reviewers of a review, oldest assignment first. `GET /v1/reviews/{review_id}/reviewers`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function listReviewers(api: ApiClient, input: { reviewId: string }): Promise<Reviewer[]> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/reviewers`,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/{review_id}/reviewers'],
  });
}

/**
 * Assign a user of the tenant as a reviewer. `POST /v1/reviews/{review_id}/reviewers`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, NOT_FOUND, CONFLICT
 */
export function addReviewer(
  api: ApiClient,
  input: { reviewId: string; body: AddReviewer },
): Promise<Reviewer> {
  return api.send({
    method: 'POST',
    path: `/v1/reviews/${segment(input.reviewId)}/reviewers`,
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/reviews/{review_id}/reviewers'],
    about: { reviewId: input.reviewId },
  });
}

/**
 * Remove a reviewer from a review. `DELETE /v1/reviews/{review_id}/reviewers/{user_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function removeReviewer(api: ApiClient, input: { reviewId: string; userId: string }): Promise<void> {
  return api.send({
    method: 'DELETE',
    path: `/v1/reviews/${segment(input.reviewId)}/reviewers/${segment(input.userId)}`,
    expected: REVIEWS_ANSWERS['DELETE /v1/reviews/{review_id}/reviewers/{user_id}'],
  });
}

/**
 * List a review's comments by commit, file and line. `GET /v1/reviews/{review_id}/comments`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function listComments(api: ApiClient, input: { reviewId: string }): Promise<Comment[]> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/comments`,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/{review_id}/comments'],
  });
}

/**
 * Open a comment thread, or reply to one. `POST /v1/reviews/{review_id}/comments`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, INVALID_COMMIT_ID, NOT_FOUND, CONFLICT, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
 */
export function createComment(
  api: ApiClient,
  input: { reviewId: string; body: CreateComment },
): Promise<Comment> {
  return api.send({
    method: 'POST',
    path: `/v1/reviews/${segment(input.reviewId)}/comments`,
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/reviews/{review_id}/comments'],
    about: { reviewId: input.reviewId },
  });
}

/**
 * Close or reopen a comment thread, as its author. `PATCH /v1/reviews/{review_id}/comments/{comment_id}/status`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, NOT_FOUND, FORBIDDEN, BAD_REQUEST, ALREADY_CLOSED
 */
export function updateCommentStatus(
  api: ApiClient,
  input: { reviewId: string; commentId: string; body: UpdateCommentStatus },
): Promise<Comment> {
  return api.send({
    method: 'PATCH',
    path: `/v1/reviews/${segment(input.reviewId)}/comments/${segment(input.commentId)}/status`,
    body: input.body,
    expected: REVIEWS_ANSWERS['PATCH /v1/reviews/{review_id}/comments/{comment_id}/status'],
    about: { reviewId: input.reviewId, commentId: input.commentId },
  });
}

/**
 * Page through gate runs, newest first. `GET /v1/gate-runs`
 *
 * @throws ApiFault INVALID_QUERY
 */
export function listGateRuns(api: ApiClient, input: { query?: GateRunQuery } = {}): Promise<GateRunPage> {
  return api.send({
    method: 'GET',
    path: '/v1/gate-runs',
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/gate-runs'],
  });
}

/**
 * Record a gate run, running or decided. `POST /v1/gate-runs`
 *
 * @throws ApiFault INVALID_BODY, INVALID_COMMIT_ID, NOT_FOUND, GATE_RUN_HELD, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
 */
export function createGateRun(api: ApiClient, input: { body: CreateGateRun }): Promise<GateRun> {
  return api.send({
    method: 'POST',
    path: '/v1/gate-runs',
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/gate-runs'],
  });
}

/**
 * Show one gate run. `GET /v1/gate-runs/{gate_run_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function getGateRun(api: ApiClient, input: { gateRunId: string }): Promise<GateRun> {
  return api.send({
    method: 'GET',
    path: `/v1/gate-runs/${segment(input.gateRunId)}`,
    expected: REVIEWS_ANSWERS['GET /v1/gate-runs/{gate_run_id}'],
    about: { gateRunId: input.gateRunId },
  });
}

/**
 * Set the verdict of a running gate run. `PATCH /v1/gate-runs/{gate_run_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, NOT_FOUND, GATE_RUN_ALREADY_DECIDED
 */
export function updateGateRun(
  api: ApiClient,
  input: { gateRunId: string; body: UpdateGateRun },
): Promise<GateRun> {
  return api.send({
    method: 'PATCH',
    path: `/v1/gate-runs/${segment(input.gateRunId)}`,
    body: input.body,
    expected: REVIEWS_ANSWERS['PATCH /v1/gate-runs/{gate_run_id}'],
    about: { gateRunId: input.gateRunId },
  });
}

/**
 * Show the signed receipt of a merge: what landed, and why it was believed. `GET /v1/reviews/{review_id}/merge-receipt`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND, REVIEW_NOT_MERGED, NOT_IMPLEMENTED
 */
export function getMergeReceipt(api: ApiClient, input: { reviewId: string }): Promise<MergeReceipt> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/merge-receipt`,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/{review_id}/merge-receipt'],
    about: { reviewId: input.reviewId },
  });
}

/**
 * Show the public keys of merge receipts to anyone, as a JSON Web Key Set. `GET /v1/merge-receipt-keys`
 */
export function listMergeReceiptKeys(api: ApiClient): Promise<MergeReceiptKeySet> {
  return api.send({
    method: 'GET',
    path: '/v1/merge-receipt-keys',
    expected: REVIEWS_ANSWERS['GET /v1/merge-receipt-keys'],
  });
}

/**
 * Show the receipt of a merge as a signed in-toto statement, with SLSA's summary if its claims hold. `GET /v1/reviews/{review_id}/merge-attestation`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND, REVIEW_NOT_MERGED, LANDED_COMMIT_UNKNOWN, NOT_IMPLEMENTED
 */
export function getMergeAttestation(api: ApiClient, input: { reviewId: string }): Promise<MergeAttestation> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/merge-attestation`,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/{review_id}/merge-attestation'],
  });
}
