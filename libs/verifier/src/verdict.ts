/** Spec: API, MERGED report verification; Rule B11. */
export type NotVerifiedReason =
  | 'remote_refused'
  | 'remote_unreadable'
  | 'remote_too_large'
  | 'branch_missing'
  | 'commit_not_on_target'
  | 'gated_tip_lost'
  | 'not_landed'
  | 'unrelated_history';

export interface NotVerified {
  verified: false;
  reason: NotVerifiedReason;
  /** false: the remote could not be judged. true: it was judged, and the landing is refused. */
  judged: boolean;
  /** For the caller: a fixed sentence without any text of the remote. */
  message: string;
  /** For the log only: the guard or the answer of the remote that stopped the verification, as a fixed phrase. */
  cause?: string;
}

export type Verdict<Landing> = { verified: true; landing: Landing } | NotVerified;

/** Condition A: the reported commit is on the target branch, and the anchor is its ancestor. Ids are 40 hex digits. */
export interface QueueLanding {
  /** The target branch's tip when it was read. */
  targetTip: string;
  commitId: string;
  anchorCommitId?: string;
  /** Tree and parents of the commit, if the proof had to read it. */
  commit?: { treeId: string; parentIds: string[] };
}

/** The answer to the question whether a branch can be read; nothing has landed. */
export interface BranchRead {
  /** The target branch's tip when it was read, 40 hex digits. */
  targetTip: string;
}

/** Condition B: the target's history has what the source branch adds. Ids are 40 hex digits. */
export interface HistoryLanding {
  targetTip: string;
  sourceTip: string;
  /** `ancestor`: the source tip itself is in the target's history. `change_set`: a commit there carries its changes. */
  proof: 'ancestor' | 'change_set';
  /** The commits at which the source branch diverged; several in a criss-cross history. Only with `change_set`. */
  mergeBases?: string[];
  /** A commit on the target's first-parent chain that carries the whole change set. Only with `change_set`. */
  carrierCommitId?: string;
}

const messages: Record<NotVerifiedReason, { judged: boolean; message: string }> = {
  remote_refused: {
    judged: false,
    message: 'Could not be judged: this service does not read such a remote.',
  },
  remote_unreadable: {
    judged: false,
    message:
      'Could not be judged: the remote could not be read without credentials. This service reads public addresses, ' +
      'and those that its operator allows.',
  },
  remote_too_large: {
    judged: false,
    message: 'Could not be judged: reading the remote would exceed the limits of this service.',
  },
  branch_missing: {
    judged: true,
    message: 'The report is refused: the remote has no such branch.',
  },
  commit_not_on_target: {
    judged: true,
    message: 'The report is refused: the reported commit is not reachable from the target branch.',
  },
  gated_tip_lost: {
    judged: true,
    message:
      'The report is refused: the tip that the review was gated against is no ancestor of the reported commit.',
  },
  not_landed: {
    judged: true,
    message: 'The report is refused: no commit of the target branch carries what the source branch adds.',
  },
  unrelated_history: {
    judged: true,
    message: 'The report is refused: source and target branch have no history in common.',
  },
};

export function notVerified(reason: NotVerifiedReason, cause?: string): NotVerified {
  return { verified: false, reason, ...messages[reason], cause };
}
