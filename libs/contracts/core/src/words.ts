/** The fixed words of the contract, each set declared once. */

export const REVIEW_STATUSES = ['OPEN', 'CLOSED', 'FAILED', 'READY', 'MERGE', 'MERGED'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** Causes of a review's moves: creation, then a trigger of the table in docs/contract (API, States and transitions). */
export const REVIEW_CAUSES = [
  'CREATED',
  'BUILD_SUCCEEDED',
  'BUILD_FAILED',
  'GATE_FAILED',
  'PROMOTED',
  'PROMOTED_BY_OVERRIDE',
  'REQUEUED',
  'MERGED',
  'RECONCILED',
  'CLOSED',
] as const;
export type ReviewCause = (typeof REVIEW_CAUSES)[number];

/** The activity in the slot of a merge queue; the first three if no review holds it. Spec: API, Status of a queue. */
export const SLOT_ACTIVITIES = [
  'IDLE',
  'HEAD_NOT_ADVANCED',
  'HEAD_BLOCKED',
  'NO_GATE_RUN',
  'GATE_RUNNING',
  'GATE_PASSED_NOT_REPORTED',
  'GATE_FAILED_NOT_RECORDED',
  'GATE_INCONCLUSIVE',
] as const;
export type SlotActivity = (typeof SLOT_ACTIVITIES)[number];

/** The duration of an activity, compared with the queue's own last merges; BLOCKED if it waits for a person. */
export const SLOT_HEALTHS = ['ON_TIME', 'LATE', 'STUCK', 'BLOCKED'] as const;
export type SlotHealth = (typeof SLOT_HEALTHS)[number];

/** Why a queue gives no estimate. Spec: API, Status of a queue. */
export const NO_ESTIMATE_REASONS = ['TOO_FEW_MERGES', 'BLOCKED', 'HEAD_BLOCKED', 'OVERDUE'] as const;
export type NoEstimateReason = (typeof NO_ESTIMATE_REASONS)[number];

/** A thread is OPEN while its root comment is unresolved. */
export const THREAD_STATUSES = ['OPEN', 'CLOSED'] as const;
export type ThreadStatus = (typeof THREAD_STATUSES)[number];

export const BUILD_KINDS = ['RECORDED', 'GATE'] as const;
export type BuildKind = (typeof BUILD_KINDS)[number];

/** The verdicts of a decided gate run. INCONCLUSIVE means that no verdict was reached; another run may reach one. */
export const GATE_RUN_DECISIONS = ['PASSED', 'FAILED', 'INCONCLUSIVE'] as const;
export type GateRunDecision = (typeof GATE_RUN_DECISIONS)[number];

export const GATE_RUN_VERDICTS = ['RUNNING', ...GATE_RUN_DECISIONS] as const;
export type GateRunVerdict = (typeof GATE_RUN_VERDICTS)[number];

export const RELEASE_STATUSES = ['queued', 'running', 'released', 'failed'] as const;
export type ReleaseStatus = (typeof RELEASE_STATUSES)[number];

export const ENVIRONMENT_TYPES = ['local-agent', 'remote-agent', 'runtime'] as const;
export type EnvironmentType = (typeof ENVIRONMENT_TYPES)[number];

export const ENVIRONMENT_STATUSES = ['registered', 'deleting', 'deletion-blocked'] as const;
export type EnvironmentStatus = (typeof ENVIRONMENT_STATUSES)[number];

/** The kinds of entries in a tenant's sealed log. */
export const LEAF_KINDS = ['audit', 'landing', 'key', 'erasure'] as const;
export type LeafKind = (typeof LEAF_KINDS)[number];

/** A DISABLED user is refused. Rule E6. */
export const USER_STATUSES = ['ACTIVE', 'DISABLED'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export const AUDIT_TYPES = ['API', 'MCP', 'CLI'] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];

/** Why a MERGED report was not accepted. Rule B11. */
export const NOT_VERIFIED_REASONS = [
  'build_not_acceptable',
  'remote_mismatch',
  'remote_refused',
  'remote_unreadable',
  'remote_too_large',
  'branch_missing',
  'commit_not_on_target',
  'gated_tip_lost',
  'not_landed',
  'unrelated_history',
] as const;
export type NotVerifiedReason = (typeof NOT_VERIFIED_REASONS)[number];

/** Why a verification could not read a target branch: the reasons above that need no report. */
export const NOT_READABLE_REASONS = [
  'remote_refused',
  'remote_unreadable',
  'remote_too_large',
  'branch_missing',
] as const satisfies NotVerifiedReason[];
export type NotReadableReason = (typeof NOT_READABLE_REASONS)[number];

/** The conditions that an accepted merge report met. Spec: API, MERGED report verification. */
export const MERGE_CONDITIONS = ['A1', 'A2', 'A3', 'B1', 'B2'] as const;
export type MergeCondition = (typeof MERGE_CONDITIONS)[number];

/** The version of the statements that this release signs: what their fields are and mean. */
export const STATEMENT_VERSION = 1;

/**
 * Whether a landed commit has the content that was reviewed, by the recipe's merge of the source onto the commit before it.
 * EXACT: its tree is that merge. SAME_CHANGE: the source's commits landed one by one, or another commit is EXACT. BY_HAND: a
 * person decided a conflict of that merge, and all else is as merged. DIVERGENT: the tree differs in another way. UNKNOWN: it
 * could not be computed.
 */
export const CONTENT_VERDICTS = ['EXACT', 'SAME_CHANGE', 'BY_HAND', 'DIVERGENT', 'UNKNOWN'] as const;
export type ContentVerdict = (typeof CONTENT_VERDICTS)[number];

/** Why a content verdict is not EXACT, in the order of the verdicts; docs/verification.md says what each means. */
export const CONTENT_REASONS = [
  'rebased',
  'other_commit',
  'several_merge_bases',
  'conflict_resolved',
  'earlier_commits',
  'source_change_missing',
  'target_change_undone',
  'extra_content',
  'layout',
  'source_missing',
  'source_merged_before',
  'landing_not_found',
  'no_parent',
  'octopus',
  'unrelated_history',
  'too_tangled',
  'remote_refused',
  'remote_unreadable',
  'remote_too_large',
  'out_of_time',
  'not_computed',
] as const;
export type ContentReason = (typeof CONTENT_REASONS)[number];

/**
 * How a landing differs at a place. missing: the reviewed change is absent. undone: the target's own work is gone.
 * altered: the change is present, but differs. extra: it was not reviewed. by_hand: a person decided a conflict there,
 * and the service does not judge the lines. earlier: another commit brought a part of the review to this file before.
 */
export const FINDING_KINDS = ['missing', 'undone', 'altered', 'extra', 'by_hand', 'earlier'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** The version of a file whose lines are counted: the reviewed source's, the target's before the landing, the landed one. */
export const FINDING_FILES = ['source', 'target', 'landed'] as const;
export type FindingFile = (typeof FINDING_FILES)[number];

/**
 * How a landing loses work of an earlier one. dropped_by_merge: a merge of the target into the source lost it, outside of any
 * conflict. dropped_in_conflict: such a merge lost it in the place of a conflict. dropped_by_landing: the source kept it, and
 * the landed commit itself lost it. restored: a commit of the source brought back the state before. deleted: a commit of the
 * source removed it.
 */
export const UNDONE_KINDS = [
  'dropped_by_merge',
  'dropped_in_conflict',
  'dropped_by_landing',
  'restored',
  'deleted',
] as const;
export type UndoneKind = (typeof UNDONE_KINDS)[number];

/** How certain it is that the author of the source did not mean it, the most certain one first. */
export const UNDONE_CERTAINTIES = ['sure', 'likely', 'possible'] as const;
export type UndoneCertainty = (typeof UNDONE_CERTAINTIES)[number];

/** The version of a file that has the lines: the target's before the landing, or the landed one, which has them again. */
export const UNDONE_FILES = ['target', 'landed'] as const;
export type UndoneFile = (typeof UNDONE_FILES)[number];

/** A place where a landing is not what was reviewed. */
export interface ContentFinding {
  kind: FindingKind;
  path: string;
  in?: FindingFile;
  /** Counted from 1, the last one inclusive; absent if the finding is about the whole file. */
  firstLine?: number;
  lastLine?: number;
  /** The commit that brought a part before, for a finding `earlier`. */
  commitId?: string;
}
