import type { Statement } from './sealed-landing';

export const LEDGER_VERDICTS = [
  'LANDED',
  'PENDING',
  'DIVERGENT',
  'NO_RECEIPT',
  'NO_LANDING',
  'BYPASS',
  'UNREADABLE',
] as const;

/**
 * LANDED: the commit has a receipt. PENDING: its receipt was made within the last two minutes and is not sealed yet, nor is
 * that of a newer commit. DIVERGENT: it has one, by which the landed content is not the reviewed one.
 * NO_RECEIPT: the platform knows a review or a gate of the commit, and has sealed no receipt of it. NO_LANDING: the commit
 * of a receipt is not in the branch's history. BYPASS: nothing accounts for the commit. UNREADABLE: an entry that no
 * platform writes, or a receipt that was erased, which no platform does.
 */
export type LedgerVerdict = (typeof LEDGER_VERDICTS)[number];

/** A landing, or a commit without one. */
export interface LedgerRow {
  verdict: LedgerVerdict;
  /** The commits in the branch's first-parent history, newest first; a rebase lands several. Empty if none is there. */
  commits: string[];
  /** The commit that the receipt names, or that nothing accounts for. */
  commitId?: string;
  committedAt?: string;
  subject?: string;
  /** The review that the receipt is about, or that bears the commit's subject as its name. */
  reviewId?: string;
  name?: string;
  contentVerdict?: Statement['contentVerdict'];
  contentReason?: Statement['contentReason'];
  verifiedAt?: string;
  /** The receipt's entry in the log. */
  index?: number;
  gateRunId?: string;
  buildId?: string;
  detail?: string;
}

/** The result of `plat ledger check`. */
export interface LedgerCheck {
  repository: string;
  targetBranch: string;
  tip: string;
  /** `--since`, as it was given. */
  since?: string;
  /** The log and how many entries it has; without a name if none is sealed yet. */
  log: { origin?: string | undefined; size: number };
  /** Whether every row is LANDED or PENDING. */
  sound: boolean;
  /** Landings that have no place in the history first, then the history, newest first. */
  rows: LedgerRow[];
  counts: Record<LedgerVerdict, number>;
  /** Older commits of the branch, which are not judged. */
  commitsBefore: number;
  /** Landings before `--since`, which are not judged. */
  landingsBefore: number;
}

/** Returns the row of a landing by its receipt's statement. */
export function rowOfLanding(
  { index, statement }: { index: number; statement: Statement },
  at: Pick<LedgerRow, 'verdict' | 'commits'> & Partial<LedgerRow>,
): LedgerRow {
  const { commitId, landedCommitId = commitId, reviewId, name } = statement;
  const { contentVerdict, contentReason, verifiedAt } = statement;
  const content = { contentVerdict, contentReason, verifiedAt };
  return { commitId: landedCommitId, reviewId, name, ...content, index, ...at };
}
