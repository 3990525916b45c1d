import { printableLine } from '../terminal/printable';
import type { EarlierLanding, NamedFinding, UndoneReport } from './undone-report';

/** How work was taken back, for a person, as the end of a sentence. */
export const WAYS = {
  dropped_by_merge: 'lost in a merge of the target, outside of any conflict',
  dropped_in_conflict: 'lost in the conflict of a merge',
  dropped_by_landing: 'lost in the landing itself',
  restored: 'back to the state before',
  deleted: 'removed',
} as const satisfies Record<NamedFinding['kind'], string>;

/** The places that a landing takes back, one a line, each below the line of the earlier landing. */
export function undoneLines(
  report: Pick<UndoneReport, 'findings' | 'findingsLeftOut' | 'reverts'>,
): string[] {
  const { findings, findingsLeftOut = 0, reverts } = report;
  return [
    ...linesOf(findings),
    ...(findingsLeftOut > 0 ? [`and ${findingsLeftOut} more places`] : []),
    ...(reverts.length > 0 ? ['Said to be reverted:', ...linesOf(reverts)] : []),
  ].map(printableLine);
}

function linesOf(findings: readonly NamedFinding[]): string[] {
  const byLanding = new Map<string, NamedFinding[]>();
  for (const finding of findings) {
    byLanding.set(finding.commitId, [...(byLanding.get(finding.commitId) ?? []), finding]);
  }
  return [...byLanding.values()].flatMap((of) => {
    const [{ commitId, reviewId, reviewName, author, landedAt }] = of as [NamedFinding];
    const id = reviewId === undefined ? `commit ${commitId.slice(0, 10)}` : `review ${reviewId}`;
    return [`"${reviewName}" by ${author}, ${landedAt.slice(0, 10)}, ${id}`, ...of.map(placeLine)];
  });
}

/** A place, below the line of the landing on the other side. */
export function placeLine({
  path,
  in: file,
  firstLine,
  lastLine,
  kind,
  certainty,
  sourceCommitId,
}: Omit<NamedFinding, keyof EarlierLanding>): string {
  const lines = firstLine === lastLine ? `:${firstLine}` : `:${firstLine}-${lastLine}`;
  const place = firstLine === undefined ? path : `${path}${lines}`;
  const version = file === 'landed' ? ' of the merge' : '';
  const by = sourceCommitId === undefined ? '' : ` (${sourceCommitId.slice(0, 10)})`;
  return `  ${certainty}: ${place}${version}, ${WAYS[kind]}${by}`;
}

/** The report as `plat review undoes` prints it. */
export function undoneView(report: UndoneReport): string {
  const { findings, reverts, window } = report;
  const examined = `${window.landings} landings were examined${window.isComplete ? '' : ', not all of the time'}.`;
  const head =
    findings.length > 0
      ? 'It would take back work of earlier landings:'
      : `It takes back no work of earlier landings${reverts.length > 0 ? ', except what it says' : ''}.`;
  return [head, ...undoneLines(report), examined].join('\n');
}
