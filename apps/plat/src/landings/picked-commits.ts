import { commitOf } from '../checkout/checkout';
import { sameChanges } from './same-changes';
import type { TargetCommit, TargetHistory } from './target-history';

/** A landing by the commits that the receipt names. */
export interface PickedLanding {
  /** The commit that brought the change; in the first-parent history. */
  commitId: string;
  /** The reviewed commit. */
  sourceTip: string | undefined;
}

/** The longest series of commits that one landing may have. */
const PICKED_MAX = 1000;

/**
 * The commits below a landing that belong to it: a rebase puts each of the source's commits onto the target, and the receipt
 * names the last. Each must make the same change as a reviewed commit, so none that someone pushed before is taken in.
 *
 * @param isTaken whether another landing has the commit
 * @returns newest first; undefined if it cannot be determined, because the reviewed commit cannot be reached
 */
export async function findPickedBelow(
  history: TargetHistory,
  { commitId, sourceTip }: PickedLanding,
  isTaken: (commitId: string) => boolean,
): Promise<TargetCommit[] | undefined> {
  const from = history.places.get(commitId);
  if (from === undefined) return [];
  const below = history.commits.slice(from + 1, from + 1 + PICKED_MAX);
  const [next] = below;
  // A merge commit has all of its source behind its second parent.
  const isMerge = history.commits[from]!.parentIds.length > 1;
  if (next === undefined || isMerge || isTaken(next.commitId) || commitId === sourceTip) return [];
  if (sourceTip === undefined || !(await isInReach(history, sourceTip))) return undefined;
  // git determines quickly which changes are alike, but without regard to white space: those alone are compared to the byte.
  const alike = new Set(await listBy(history, '--cherry-mark', `${sourceTip}...${commitId}`));
  const reviewed = await listBy(history, sourceTip, `^${commitId}`);
  const candidates = firstOf(below, (one) => alike.has(`=${one.commitId}`) && !isTaken(one.commitId));
  const same = await sameChanges(history.git, {
    commits: candidates.map((one) => one.commitId),
    others: reviewed.filter((one) => alike.has(`=${one}`)),
  });
  return firstOf(candidates, (one) => same.has(one.commitId));
}

async function listBy({ git }: TargetHistory, ...args: string[]): Promise<string[]> {
  return (await git.run(['rev-list', '--no-merges', ...args, '--'])).split('\n').filter(Boolean);
}

function firstOf<T>(items: readonly T[], isIn: (item: T) => boolean): T[] {
  const end = items.findIndex((item) => !isIn(item));
  return end < 0 ? [...items] : items.slice(0, end);
}

/** Whether the clone has the commit, which is fetched by its id if it lacks it and may: the branch may be gone. */
async function isInReach({ git, isOffline, remote }: TargetHistory, commitId: string): Promise<boolean> {
  if ((await commitOf(git, commitId)) !== undefined) return true;
  if (isOffline) return false;
  const options = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
  await git.try(['fetch', ...options, '--no-auto-maintenance', '--refmap=', remote, commitId]);
  return (await commitOf(git, commitId)) !== undefined;
}
