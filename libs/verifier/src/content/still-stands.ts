import type { Budget } from '../budget';
import { ObjectStore } from '../changes/object-store';
import type { RemoteRepository } from '../protocol/remote-repository';
import { broughtByMerge } from './merged-into';

/** A commit of the target that brought a source. Ids. */
export interface BringingCommit {
  commitId: string;
  /** The commit before it; undefined: its first parent. */
  before?: string | undefined;
}

/**
 * Whether the change of a commit is whole in a later one: to merge it there again, as git does, changes nothing. Ancestry
 * does not show this, because a commit between them may have dropped or altered a line.
 *
 * @throws RemoteFailure
 */
export async function stillStands(
  { commitId, before }: BringingCommit,
  laterCommitId: string,
  { remote, budget }: { remote: RemoteRepository; budget: Budget },
): Promise<boolean> {
  const store = new ObjectStore(remote);
  await store.loadCommits([commitId, laterCommitId]);
  const base = before ?? store.commit(commitId).parentIds[0];
  if (base === undefined) return true;
  await store.loadCommits([base]);
  const treeOf = (id: string) => store.commit(id).treeId;
  const trees = { base: treeOf(base), theirs: treeOf(commitId), ours: treeOf(laterCommitId) };
  return (await broughtByMerge(store, trees, budget)) === 'nothing';
}
