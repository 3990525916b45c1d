import type { Budget } from '../budget';
import type { ObjectStore } from '../changes/object-store';
import type { Judgement } from './content-verdict';
import { judgeTrees } from './judge-trees';
import { broughtByMerge } from './merged-into';

/** A commit of the target that brought a source. Ids. */
export interface BringingCommit {
  commitId: string;
  /** The commit before it; undefined: its first parent. */
  before?: string | undefined;
}

interface Reading {
  store: ObjectStore;
  budget: Budget;
}

/**
 * Whether the change of a commit is whole in a later one: to merge it there again, as git does, changes nothing. Ancestry
 * does not show this, because a commit between them may have dropped or altered a line.
 *
 * @throws RemoteFailure
 */
export async function stillStands(
  brought: BringingCommit,
  laterCommitId: string,
  { store, budget }: Reading,
): Promise<boolean> {
  const trees = await treesOf(store, brought, [laterCommitId]);
  if (trees === undefined) return true;
  const { base, theirs, others } = trees;
  return (await broughtByMerge(store, { base, theirs, ours: others[0] as string }, budget)) === 'nothing';
}

/**
 * The verdict on a commit that dropped or altered a part of what an earlier one had brought: it has to be as if the earlier
 * one was merged again.
 *
 * @param onto the commit before it, in which the change was whole
 * @throws RemoteFailure
 */
export async function judgeAgain(
  brought: BringingCommit,
  { onto, commitId }: { onto: string; commitId: string },
  { store, budget }: Reading,
): Promise<Judgement | undefined> {
  const found = await treesOf(store, brought, [onto, commitId]);
  if (found === undefined) return undefined;
  const { base, theirs, others } = found;
  const trees = { base, theirs, ours: others[0] as string, landed: others[1] as string };
  return judgeTrees(store, { trees, earlier: { ours: [], theirs: [] }, olderCommits: [] }, budget);
}

/** The trees before and after the change, and those of other commits; undefined for a commit without parents. */
async function treesOf(
  store: ObjectStore,
  { commitId, before }: BringingCommit,
  others: readonly string[],
): Promise<{ base: string; theirs: string; others: string[] } | undefined> {
  await store.loadCommits([commitId, ...others]);
  const base = before ?? store.commit(commitId).parentIds[0];
  if (base === undefined) return undefined;
  await store.loadCommits([base]);
  const treeOf = (id: string) => store.commit(id).treeId;
  return { base: treeOf(base), theirs: treeOf(commitId), others: others.map(treeOf) };
}
