import { canonicalRepository } from '@plat/remote';
import { commitOf } from '../checkout/checkout';
import { Failure } from '../terminal/failure';
import { printableLine } from '../terminal/printable';
import { type ClaimedCommits, landedCommit, listClaimedCommits } from './claimed-commits';
import { LEDGER_VERDICTS, type LedgerCheck, type LedgerRow, rowOfLanding } from './ledger-row';
import { RECEIPTS_MAX } from './recent-receipts';
import type { SealedLanding, SealedLandings } from './sealed-landing';
import { type Beginning, beginningOfLog, findBeginning } from './since';
import { isInHistory, type TargetCommit, type TargetHistory } from './target-history';

/** A review of that name, or a gate, by which the platform knows a commit without a receipt. */
export type Acquaintance = Pick<LedgerRow, 'reviewId' | 'gateRunId' | 'buildId'> & {
  detail: string;
  /** The platform has made a receipt of the commit so lately that it need not be sealed yet. */
  isRecent?: boolean;
};

export interface Comparison {
  history: TargetHistory;
  sealed: SealedLandings;
  /** `--since`. */
  since: string | undefined;
  /** Finds what knows these commits. */
  acquaintances(commits: readonly TargetCommit[]): Promise<ReadonlyMap<string, Acquaintance>>;
}

/**
 * Compares a branch's first-parent history with the landings of the sealed log.
 *
 * @throws Failure NOTHING_SEALED if the log has no landing on the branch, none is about to be sealed, and nothing says
 *   where to begin
 */
export async function compareLandings(comparison: Comparison): Promise<LedgerCheck> {
  const { history, sealed, since } = comparison;
  const { repository, targetBranch, tip } = history;
  const here = sealed.landings.filter(({ statement }) => isOf(history, statement));
  const claimed = await listClaimedCommits(history, here);
  const opaque = opaqueRows(sealed);
  const isEmpty = sealed.origin === undefined || (here.length + opaque.length === 0 && since === undefined);
  const pending = isEmpty ? await findPendingBeginning(comparison) : undefined;
  if (isEmpty && !pending) throw nothingSealed(history, sealed);
  const begin =
    (await findBeginning(history, since)) ?? pending ?? beginningOfLog(history, claimed.landings, here);
  const beside = here.filter((landing) => !claimed.landings.has(landing));
  const besideRows = await Promise.all(
    beside.filter((landing) => begin.has(landing)).map((landing) => besideRow(history, landing)),
  );
  const onBranch = await rowsOfHistory(comparison, claimed, begin);
  const rows = [...opaque, ...besideRows, ...onBranch.rows];
  const counts = Object.fromEntries(
    LEDGER_VERDICTS.map((verdict) => [verdict, rows.filter((row) => row.verdict === verdict).length]),
  ) as LedgerCheck['counts'];
  return {
    ...{ repository, targetBranch, tip, since, log: { origin: sealed.origin, size: sealed.size } },
    sound: counts.LANDED + counts.PENDING === rows.length,
    ...{ rows, counts },
    commitsBefore: history.commits.length - onBranch.judged,
    landingsBefore: beside.length - besideRows.length + claimed.landings.size - onBranch.landings,
  };
}

/**
 * Where the check begins before the first landing of the branch is sealed: at the oldest commit whose receipt is made and
 * is sealed within a minute.
 *
 * @returns undefined if there is none
 */
async function findPendingBeginning({ history, acquaintances }: Comparison): Promise<Beginning | undefined> {
  const newest = history.commits.slice(0, RECEIPTS_MAX);
  const known = await acquaintances(newest);
  const oldest = newest.findLastIndex(({ commitId }) => known.get(commitId)?.isRecent);
  return oldest < 0 ? undefined : { commits: oldest + 1, has: () => true };
}

/** Landings of which no one can say on which branch they were. The platform erases rows of the trail, never a receipt. */
function opaqueRows({ unreadable, erased }: SealedLandings): LedgerRow[] {
  return [...unreadable, ...erased]
    .sort((one, other) => one.index - other.index)
    .map(({ index, reviewId, why }) => {
      return { verdict: 'UNREADABLE', commits: [], index, reviewId, detail: why };
    });
}

const isOf = ({ repository, targetBranch }: TargetHistory, statement: SealedLanding['statement']): boolean =>
  statement.targetBranch === targetBranch && canonicalRepository(statement.remoteUrl) === repository;

const verdictOf = ({ statement }: SealedLanding) =>
  statement.contentVerdict === 'DIVERGENT' ? 'DIVERGENT' : 'LANDED';

/** A landing whose commit is not among the first parents. */
async function besideRow(history: TargetHistory, landing: SealedLanding): Promise<LedgerRow> {
  const { targetTip } = landing.statement;
  const commitId = landedCommit(landing);
  if (await isInHistory(history, commitId ?? targetTip)) {
    const detail =
      commitId === undefined
        ? `the receipt names no commit; the tip that was judged, ${targetTip}, is in the history`
        : 'the commit is in the history, but not among the first parents';
    return rowOfLanding(landing, { verdict: verdictOf(landing), commits: [], detail });
  }
  const what = commitId ?? `the tip that was judged, ${targetTip},`;
  const detail = `${what} is not in ${await whereMissing(history, commitId ?? targetTip)}`;
  return rowOfLanding(landing, { verdict: 'NO_LANDING', commits: [], detail });
}

/** No one knows whether a commit that the clone lacks is in the history, unless the branch was just fetched. */
async function whereMissing(history: TargetHistory, commitId: string): Promise<string> {
  const { git, isOffline, remote, targetBranch } = history;
  return isOffline && (await commitOf(git, commitId)) === undefined
    ? `this clone, which may be older than the export: git fetch ${remote}, then repeat the command`
    : `the history of ${targetBranch}`;
}

async function rowsOfHistory(
  { history, acquaintances }: Comparison,
  claimed: ClaimedCommits,
  begin: Beginning,
): Promise<{ rows: LedgerRow[]; judged: number; landings: number }> {
  const landings = new Map<string, SealedLanding[]>();
  for (const [landing, [first = '']] of claimed.landings) {
    landings.set(first, [...(landings.get(first) ?? []), landing]);
  }
  const judged = history.commits.slice(0, begin.commits);
  const unclaimed = judged.filter(({ commitId }) => !claimed.commits.has(commitId));
  const known = unclaimed.length === 0 ? new Map<string, Acquaintance>() : await acquaintances(unclaimed);
  let found = 0;
  // Entries are sealed in their order, so a landing below a sealed one was left out.
  let mayBePending = true;
  const rows = judged.flatMap((commit): LedgerRow[] => {
    const { commitId, committedAt, subject } = commit;
    if (!claimed.commits.has(commitId)) {
      return [
        {
          ...unclaimedRow(known.get(commitId), claimed.hints.get(commitId), mayBePending),
          commits: [commitId],
          commitId,
          committedAt,
          subject,
        },
      ];
    }
    mayBePending = false;
    const own = landings.get(commitId) ?? [];
    found += own.length;
    return own.map((landing) =>
      rowOfLanding(landing, {
        verdict: verdictOf(landing),
        commits: [...claimed.landings.get(landing)!],
        ...{ committedAt, subject },
      }),
    );
  });
  return { rows, judged: judged.length, landings: found };
}

function unclaimedRow(
  known: Acquaintance | undefined,
  hint: string | undefined,
  mayBePending: boolean,
): Pick<LedgerRow, 'verdict' | 'detail'> {
  if (known === undefined) return { verdict: 'BYPASS', detail: hint };
  const { isRecent, ...facts } = known;
  if (isRecent && mayBePending) {
    return { verdict: 'PENDING', ...facts, detail: 'its receipt is made, and is sealed within a minute' };
  }
  return {
    verdict: 'NO_RECEIPT',
    ...facts,
    detail: hint === undefined ? facts.detail : `${facts.detail}; ${hint}`,
  };
}

/** Nothing to compare with is no success: the remote may be another one than the receipts name. */
function nothingSealed(
  { repository, targetBranch }: TargetHistory,
  { origin, landings }: SealedLandings,
): Failure {
  const here = `on ${targetBranch} of ${repository}`;
  if (origin === undefined) {
    return new Failure('NOTHING_SEALED', 'No entry of your log is sealed yet.', {
      next: 'repeat the command in a minute',
    });
  }
  const what =
    landings.length === 0
      ? `no landing, so none ${here}`
      : `no landing ${here}; it has ${landings.length} elsewhere`;
  return new Failure('NOTHING_SEALED', printableLine(`The log ${origin} has ${what}.`), {
    next: 'if something has just landed, repeat the command in a minute; otherwise with the --remote and --target-branch of the landings, or with --since',
  });
}
