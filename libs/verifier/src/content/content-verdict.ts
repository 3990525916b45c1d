import type { ContentFinding, ContentReason, ContentVerdict } from '@plat/contracts/core';
import { textOfPath } from '../pack/path-text';
import { type Deviation, REASONS } from './finding';

/** The verdict on one set of trees. `reason` says why it is not EXACT. */
export type Judgement = { verdict: 'EXACT' } | Inexact;

export type Inexact = { verdict: Exclude<ContentVerdict, 'EXACT'>; reason: ContentReason } & Whereabouts;

/** The verdict on the reported commit, or on another one. */
export type Judged = Judgement & { landedCommitId?: string };

/** The places where a landing differs from the merge, or where a person decided. */
export interface Whereabouts {
  /** The worst findings, at most 20. */
  findings?: ContentFinding[];
  /** Number of further findings. */
  findingsLeftOut?: number;
  /** The older commit of the target onto which the whole landing was made, if there is one. */
  builtOnCommitId?: string;
}

/** The verdict on a landing, with those of its commits that could be read. Ids are 40 hex digits. */
export type LandedContent = Judgement & {
  sourceTip?: string;
  commitId?: string;
  /** The commit that brought the change and is judged, if it differs from the one in the question. */
  landedCommitId?: string;
  /** The first parent; absent for a commit without parents. */
  parentId?: string;
  treeId?: string;
};

/** Most findings of a verdict, and the longest path of one in characters. */
const FINDINGS_MAX = 20;
const PATH_LENGTH_MAX = 300;

export const unknown = (reason: ContentReason): Inexact => ({ verdict: 'UNKNOWN', reason });

export const sameChange = (reason: 'rebased' | 'other_commit' | 'several_merge_bases'): Inexact => ({
  verdict: 'SAME_CHANGE',
  reason,
});

/** @param places those that a person decided, or those that an earlier commit changed */
export const byHand = (
  reason: 'conflict_resolved' | 'earlier_commits',
  places: readonly ContentFinding[],
): Inexact => ({ verdict: 'BY_HAND', reason, ...listed(places) });

/** @param deviations at least one */
export function divergent(deviations: readonly Deviation[]): Inexact {
  const sorted = REASONS.flatMap((worse) => deviations.filter(({ reason }) => reason === worse));
  const findings = sorted.map(({ reason: _, ...finding }): ContentFinding => finding);
  return { verdict: 'DIVERGENT', reason: sorted[0]?.reason ?? 'extra_content', ...listed(findings) };
}

function listed(found: readonly ContentFinding[]): Whereabouts {
  const findings = found.slice(0, FINDINGS_MAX);
  return { findings, findingsLeftOut: found.length - findings.length || undefined };
}

/** The verdict with paths as text that is safe to show, instead of their bytes. */
export function withPrintablePaths(judged: Judged): Judged {
  if (judged.verdict === 'EXACT' || judged.findings === undefined) return judged;
  const findings = judged.findings.map((finding) => ({
    ...finding,
    path: textOfPath(finding.path).slice(0, PATH_LENGTH_MAX),
  }));
  return { ...judged, findings };
}
