import { findPickedBelow } from './picked-commits';
import type { SealedLanding } from './sealed-landing';
import type { TargetHistory } from './target-history';

/** The commits of the first-parent history that receipts account for. */
export interface ClaimedCommits {
  /** The landings with a commit in it, each with its commits, newest first. */
  landings: ReadonlyMap<SealedLanding, readonly string[]>;
  /** All these commits. */
  commits: ReadonlySet<string>;
  /** Hints for a reader, keyed by a commit that none of the landings accounts for. */
  hints: ReadonlyMap<string, string>;
}

/** The commit that a receipt is about: the one that brought the change. */
export const landedCommit = ({ statement }: SealedLanding): string | undefined =>
  statement.landedCommitId ?? statement.commitId;

/** Finds the commits of each landing. */
export async function listClaimedCommits(
  history: TargetHistory,
  landings: readonly SealedLanding[],
): Promise<ClaimedCommits> {
  const own = new Set(landings.map(landedCommit));
  const found = new Map<SealedLanding, string[]>();
  const commits = new Set<string>();
  const hints = new Map<string, string>();
  const isTaken = (commitId: string) => own.has(commitId) || commits.has(commitId);
  for (const landing of landings) {
    const commitId = landedCommit(landing);
    const place = commitId === undefined ? undefined : history.places.get(commitId);
    if (commitId === undefined || place === undefined) continue;
    const { sourceTip, name } = landing.statement;
    const picked = await findPickedBelow(history, { commitId, sourceTip }, isTaken);
    const below = history.commits[place + 1]?.commitId;
    if (picked === undefined && below !== undefined) {
      const where = history.isOffline ? 'not in this clone' : 'in no reach';
      hints.set(below, `it may be of the landing above it, "${name}", whose reviewed commit is ${where}`);
    }
    if (commitId === sourceTip && below !== undefined) {
      hints.set(
        below,
        `the branch of "${name}" landed above it as it was; git cannot say whether it had this`,
      );
    }
    const all = [commitId, ...(picked ?? []).map((commit) => commit.commitId)];
    found.set(landing, all);
    for (const one of all) commits.add(one);
  }
  for (const { statement } of landings) hintAtReported(statement, hints);
  return { landings: found, commits, hints };
}

/** Adds a hint to the reported commit of a receipt that is about an older one: no one judged the reported one. */
function hintAtReported(
  { commitId, landedCommitId, name }: SealedLanding['statement'],
  hints: Map<string, string>,
) {
  if (commitId === undefined || landedCommitId === undefined || commitId === landedCommitId) return;
  hints.set(
    commitId,
    `"${name}" was reported with it, but landed with ${landedCommitId}, which the receipt is about`,
  );
}
