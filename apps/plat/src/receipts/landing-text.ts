import type { MergeReceipt } from '@plat/api-client';
import { printableLine } from '../terminal/printable';

type Content = Pick<
  MergeReceipt,
  'contentVerdict' | 'contentReason' | 'builtOnCommitId' | 'findings' | 'findingsLeftOut'
>;

type Finding = NonNullable<MergeReceipt['findings']>[number];

/** The verdict with its cause, such as `DIVERGENT (target_change_undone)`. */
export const verdictText = ({ contentVerdict, contentReason }: Content): string =>
  contentReason === undefined ? contentVerdict : `${contentVerdict} (${contentReason})`;

/** The places at which a landing differs from the review, one a line, without control characters. */
export function findingLines({ builtOnCommitId, findings = [], findingsLeftOut = 0 }: Content): string[] {
  return [
    ...(builtOnCommitId === undefined ? [] : [`built on ${builtOnCommitId}, an older commit of the target`]),
    ...findings.map(findingLine),
    ...(findingsLeftOut > 0 ? [`and ${findingsLeftOut} more`] : []),
  ].map(printableLine);
}

const FILES = {
  source: 'of the source',
  target: 'of the target before it',
  landed: 'of the landed file',
} as const;

const KINDS: Partial<Record<Finding['kind'], string>> = {
  by_hand: 'decided by hand',
  earlier: 'brought before',
};

function findingLine({ commitId, ...finding }: Finding): string {
  const place = placeText(finding);
  return commitId === undefined ? place : `${place}, by ${commitId}`;
}

function placeText({ kind: key, path, in: file, firstLine, lastLine }: Omit<Finding, 'commitId'>): string {
  const kind = KINDS[key] ?? key;
  if (firstLine === undefined) return `${kind} ${path}`;
  const lines = lastLine === undefined || lastLine === firstLine ? firstLine : `${firstLine}-${lastLine}`;
  return `${kind} ${path}:${lines}${file === undefined ? '' : `, lines ${FILES[file]}`}`;
}
