import type { ContentFinding, ContentReason, ContentVerdict } from '@plat/contracts/core';
import { type Deviation, worstReason } from './finding';
import { textOfPath } from './path-text';

/** How one set of trees was judged; `reason` says why it is not EXACT. */
export type Judgement =
  { verdict: 'EXACT' } | ({ verdict: Exclude<ContentVerdict, 'EXACT'>; reason: ContentReason } & Whereabouts);

/** Where a landing is not what was reviewed. */
export interface Whereabouts {
  /** The worst of them, as many as a receipt has room for. */
  findings?: ContentFinding[];
  /** How many more there are. */
  findingsLeftOut?: number;
  /** Nothing of either side's change is missing or taken back: there is only something else besides. */
  isBesidesOnly?: boolean;
  /** The older commit of the target onto which the landing was made, where it was made as a whole onto one. */
  builtOnCommitId?: string;
}

/** The verdict on a landing, with the commits it is about as far as they could be read. Ids are 40 hex digits. */
export type LandedContent = Judgement & {
  sourceTip?: string;
  commitId?: string;
  /** The commit that brought the change and is judged, where it is not the one that was asked about. */
  landedCommitId?: string;
  /** The first parent; absent for a commit without parents. */
  parentId?: string;
  treeId?: string;
};

/** As many findings as a receipt tells, and as long as the path of one may be, in characters. */
const FINDINGS_MAX = 20;
const PATH_LENGTH_MAX = 300;

export const unknown = (reason: ContentReason, deviations: readonly Deviation[] = []): Judgement => ({
  verdict: 'UNKNOWN',
  reason,
  ...whereabouts(deviations),
});

export const sameChange = (reason: ContentReason): Judgement => ({ verdict: 'SAME_CHANGE', reason });

/** @param deviations at least one */
export const divergent = (deviations: readonly Deviation[], builtOnCommitId?: string): Judgement => ({
  verdict: 'DIVERGENT',
  reason: worstReason(deviations) ?? 'extra_content',
  ...whereabouts(deviations),
  ...(builtOnCommitId === undefined
    ? deviations.every(isBesides) && { isBesidesOnly: true }
    : { builtOnCommitId }),
});

/** Lines of the target that have become others are its next change: only what is as it was before was taken back. */
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
  const findings = sorted
    .slice(0, FINDINGS_MAX)
    .map(({ reason: _, isElsewhere: __, path, ...finding }): ContentFinding => ({
      ...finding,
      path: textOfPath(path).slice(0, PATH_LENGTH_MAX),
    }));
  const findingsLeftOut = deviations.length - findings.length;
  return { findings, ...(findingsLeftOut > 0 && { findingsLeftOut }) };
}
