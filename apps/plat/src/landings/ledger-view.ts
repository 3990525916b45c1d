import type { ContentVerdict } from '@plat/contracts/core';
import { printableLine } from '../terminal/printable';
import type { Table } from '../terminal/table';
import type { LedgerCheck, LedgerRow } from './ledger-row';

/** One line for each landing, and for each commit without one. */
export function ledgerTable({ rows }: LedgerCheck): Table {
  return {
    columns: [
      { title: 'VERDICT', as: 'status' },
      { title: 'COMMIT', as: 'commit' },
      { title: 'COMMITTED', as: 'time' },
      { title: 'WHAT', as: 'elastic' },
      'CONTENT',
      { title: 'DETAIL', as: 'below' },
    ],
    rows: rows.map((row) => [
      row.verdict,
      row.commitId,
      row.committedAt,
      row.name ?? row.subject ?? row.reviewId,
      contentOf(row),
      row.detail,
    ]),
    // The notes say it, with --json too.
    whenEmpty: '',
  };
}

function contentOf({ contentVerdict, contentReason, commits }: LedgerRow): string | undefined {
  if (contentVerdict === undefined) return undefined;
  const reason = contentReason === undefined ? '' : ` (${contentReason})`;
  return `${contentVerdict}${reason}${commits.length > 1 ? `, ${commits.length} commits` : ''}`;
}

function logText({ origin, size }: LedgerCheck['log']): string {
  return origin === undefined
    ? 'a log of which no entry is sealed yet'
    : `${printableLine(origin)} of ${size} entries`;
}

/** Says for a person which commits were compared, and which were left out. */
export function ledgerNotes({
  targetBranch,
  tip,
  since,
  log,
  counts,
  rows,
  sound,
  commitsBefore,
  landingsBefore,
}: LedgerCheck): string[] {
  const countContents = (verdict: ContentVerdict) =>
    rows.filter(({ contentVerdict }) => contentVerdict === verdict).length;
  const [unknown, byHand] = [countContents('UNKNOWN'), countContents('BY_HAND')];
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  const before = [
    ...(commitsBefore > 0 ? [`${commitsBefore} older commits`] : []),
    ...(landingsBefore > 0 ? [`${landingsBefore} older landings`] : []),
  ];
  return [
    `Compared ${targetBranch} at ${tip} with ${logText(log)}: ${some.map(([verdict, count]) => `${count} ${verdict}`).join(', ') || 'nothing'}.`,
    ...(rows.length === 0
      ? [`Nothing was judged: ${targetBranch} has no commit and the log no landing since ${since}.`]
      : []),
    ...(unknown > 0
      ? [`Of the receipts, ${unknown} leave open what landed: plat review verify <review_id>.`]
      : []),
    ...(byHand > 0
      ? [`Of the receipts, ${byHand} name what a person decided: plat review show <review_id>.`]
      : []),
    ...(before.length > 0 ? [`${before.join(' and ')} are older and were not judged.`] : []),
    ...(sound ? [] : ['Not every commit of the branch is a landing with a receipt.']),
  ];
}
