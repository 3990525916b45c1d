import type { LedgerComparison } from '../landings/check-ledger';
import type { LedgerRow } from '../landings/ledger-row';
import { instantOf, type TargetCommit } from '../landings/target-history';
import type { StandingWindow } from './standing-report';

/** Landings of this many days are examined without `--since`. */
export const STANDING_DAYS = 30;
const DAY_SECONDS = 86_400;
/** Most landings that are examined. */
const LANDINGS_MAX = 1_000;

/** A landing to examine. */
export interface ExaminedLanding {
  /** The commits, newest first; a rebase lands several. Empty if the history has none. */
  commitIds: string[];
  subject?: string | undefined;
  /** The row of `plat ledger check`; absent if the landing is older than the first receipt. */
  row?: LedgerRow | undefined;
}

/** Chooses the landings of the window: the ones that the history lacks first, then the history, newest first. */
export function chooseLandings({ check, history }: Pick<LedgerComparison, 'check' | 'history'>): {
  landings: ExaminedLanding[];
  window: StandingWindow;
} {
  const now = instantOf(Date.now() / 1_000);
  const since = check.since === undefined ? startOf(history.commits) : undefined;
  const wanted =
    since === undefined
      ? history.commits.length - check.commitsBefore
      : history.commits.findLastIndex(({ committedAt }) => committedAt >= since && committedAt <= now) + 1;
  const onBranch = landingsOf(history.commits.slice(0, wanted), check.rows);
  const examined = onBranch.slice(0, LANDINGS_MAX);
  const besides = check.rows
    .filter(({ commits }) => commits.length === 0)
    .filter(({ verdict, verifiedAt }) => isAlwaysExamined(verdict) || isSince(verifiedAt, since))
    .map((row): ExaminedLanding => ({ commitIds: row.commitId === undefined ? [] : [row.commitId], row }));
  const landings = [...besides, ...examined];
  return {
    landings,
    window: {
      since,
      landings: landings.length,
      oldestCommitId: examined.at(-1)?.commitIds.at(-1),
      isComplete: examined.length === onBranch.length,
    },
  };
}

/** A landing that is gone is reported however old it is. */
const isAlwaysExamined = (verdict: LedgerRow['verdict']): boolean =>
  verdict === 'NO_LANDING' || verdict === 'UNREADABLE';

const isSince = (instant: string | undefined, since: string | undefined): boolean =>
  since === undefined || instant === undefined || Date.parse(instant) >= Date.parse(since);

/** A committer can write any date: one in the future counts as now. */
function startOf([tip]: readonly TargetCommit[]): string {
  const newest = Math.min(Date.parse(tip?.committedAt ?? ''), Date.now());
  return instantOf(newest / 1_000 - STANDING_DAYS * DAY_SECONDS);
}

/** A commit without a parent began the branch, so that it is no landing. */
function landingsOf(commits: readonly TargetCommit[], rows: readonly LedgerRow[]): ExaminedLanding[] {
  const byCommit = new Map(rows.flatMap((row) => row.commits.map((commitId) => [commitId, row] as const)));
  const taken = new Set<string>();
  return commits.flatMap(({ commitId, parentIds, subject }): ExaminedLanding[] => {
    if (taken.has(commitId) || parentIds.length === 0) return [];
    const row = byCommit.get(commitId);
    const commitIds = row?.commits ?? [commitId];
    for (const one of commitIds) taken.add(one);
    return [{ commitIds, subject, row }];
  });
}
