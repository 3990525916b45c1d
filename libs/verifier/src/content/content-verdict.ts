import type { ContentFinding, ContentReason, ContentVerdict } from '@plat/contracts/core';
import { type Deviation, worstReason } from './finding';
import { textOfPath } from './path-text';

/** The verdict on one set of trees. `reason` says why it is not EXACT. */
export type Judgement =
  { verdict: 'EXACT' } | ({ verdict: Exclude<ContentVerdict, 'EXACT'>; reason: ContentReason } & Whereabouts);

/** The verdict on the reported commit, or on another one. */
export type Judged = Judgement & { landedCommitId?: string };

/** The places where a landing differs from the review. */
export interface Whereabouts {
  /** The worst findings, at most 20. */
  findings?: ContentFinding[];
  /** Number of further findings. */
  findingsLeftOut?: number;
  /** Neither side's change is missing or taken back; there is only additional content. */
  isBesidesOnly?: boolean;
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

export const unknown = (reason: ContentReason, deviations: readonly Deviation[] = []): Judgement => ({
  verdict: 'UNKNOWN',
  reason,
  ...whereabouts(deviations),
});

export const isSound = ({ verdict }: Judgement): boolean => verdict === 'EXACT' || verdict === 'SAME_CHANGE';

export const sameChange = (reason: ContentReason): Judgement => ({ verdict: 'SAME_CHANGE', reason });

/** The verdict on a landing whose conflicts a person decided. @param places those of the decisions */
export const decidedByHand = (
  places: readonly ContentFinding[],
  reason: 'conflict_resolved' | 'rename',
): Judgement => ({
  verdict: 'SAME_CHANGE',
  reason,
  ...listed(places),
});

/** @param deviations at least one */
export const divergent = (deviations: readonly Deviation[], builtOnCommitId?: string): Judgement => ({
  verdict: 'DIVERGENT',
  reason: worstReason(deviations) ?? 'extra_content',
  ...whereabouts(deviations),
  ...(builtOnCommitId === undefined
    ? deviations.every(isBesides) && { isBesidesOnly: true }
    : { builtOnCommitId }),
});

/**
 * A commit that was not made for this review alone may hold more than the review. Whether the rest was reviewed
 * elsewhere cannot be determined here, so such content makes the verdict UNKNOWN.
 */
export function withoutStrangers({ isBesidesOnly, ...judgement }: Judgement & Whereabouts): Judgement {
  return isBesidesOnly
    ? ({ ...judgement, verdict: 'UNKNOWN', reason: 'extra_content' } as Judgement)
    : judgement;
}

/** Altered lines of the target may be its next change: only lines restored to their old state count as taken back. */
const isBesides = ({ isElsewhere, reason, kind }: Deviation): boolean =>
  isElsewhere === true ||
  reason === 'extra_content' ||
  (reason === 'target_change_undone' && kind === 'altered');

function whereabouts(deviations: readonly Deviation[]): Whereabouts {
  if (deviations.length === 0) return {};
  const worst = worstReason(deviations);
  const sorted = [
    ...deviations.filter(({ reason }) => reason === worst),
    ...deviations.filter(({ reason }) => reason !== worst),
  ];
  return listed(sorted.map(({ reason: _, isElsewhere: __, isUnclear: ___, ...finding }) => finding));
}

/** The first findings, with paths as text, and the number of the others. */
function listed(found: readonly ContentFinding[]): Whereabouts {
  const findings = found
    .slice(0, FINDINGS_MAX)
    .map(({ path, ...finding }) => ({ ...finding, path: textOfPath(path).slice(0, PATH_LENGTH_MAX) }));
  return { findings, findingsLeftOut: found.length - findings.length || undefined };
}
