import type { UndoneWork } from '../before-push/find-undone';

type Found = UndoneWork['findings'][number];

/** An earlier landing whose work a landing takes back. */
export interface EarlierLanding {
  commitId: string;
  /** Absent if the landing is no review of this platform, or the platform was not asked. */
  reviewId?: string | undefined;
  /** The number of the review's issue. */
  issueRef?: string | undefined;
  /** The review's name, or the commit's subject. */
  reviewName: string;
  author: string;
  /** RFC 3339 UTC. */
  landedAt: string;
}

/** Work of an earlier landing that a landing takes back, with whose it is. */
export type NamedFinding = EarlierLanding & Found;

/** Everything that a landing takes back of earlier ones. */
export interface UndoneReport {
  findings: NamedFinding[];
  findingsLeftOut?: number;
  /** Findings that the review says it reverts. */
  reverts: NamedFinding[];
  window: UndoneWork['window'];
}

/** The findings for which a review is refused. */
export const refusedFindings = ({ findings }: UndoneReport): NamedFinding[] =>
  findings.filter(({ certainty }) => certainty !== 'possible');

/**
 * Whether a review is refused. The surest findings are listed first: if none of those listed is merely possible, the ones that
 * are left out may be as sure.
 */
export function isRefused(report: UndoneReport): boolean {
  const { findings, findingsLeftOut = 0, reverts } = report;
  const isAllListed = [...findings, ...reverts].some(({ certainty }) => certainty === 'possible');
  return refusedFindings(report).length > 0 || (findingsLeftOut > 0 && !isAllListed);
}
