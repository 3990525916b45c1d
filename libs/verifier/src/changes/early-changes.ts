import type { Budget } from '../budget';
import { readChangeSet } from '../objects/change-set';
import { ObjectStore } from '../objects/object-store';
import type { DecodedPack } from '../pack/decoded-pack';
import type { RemoteRepository } from '../protocol/remote-repository';

interface Sides {
  remote: RemoteRepository;
  budget: Budget;
  sourceTip: string;
  /** The newest candidate, or the commit onto which the source landed. */
  targetTip: string;
  /** Commits that were fetched already, for example the one that landed. */
  fetched?: readonly DecodedPack[];
}

/**
 * Fetches the directories in which the source differs from commits at which it seems to have parted from the target, and
 * those of the target and of commits that were fetched already at the same paths.
 *
 * @param ahead the source's side
 * @returns what was fetched
 * @throws RemoteFailure
 */
export async function readEarlyChanges(
  { remote, budget, sourceTip, targetTip, fetched = [] }: Sides,
  ahead: DecodedPack,
  parted: readonly string[],
): Promise<DecodedPack[]> {
  const treeIds = fetched.flatMap(({ commits }) => [...commits.values()].map(({ treeId }) => treeId));
  const packs = [...fetched, ahead];
  const store = new ObjectStore(remote, packs);
  const sourceTreeId = store.commit(sourceTip).treeId;
  await store.loadCommits([...parted, targetTip], [sourceTreeId]);
  const besideTreeIds = [store.commit(targetTip).treeId, ...treeIds];
  for (const base of parted) {
    const trees = { baseTreeId: store.commit(base).treeId, sourceTreeId, besideTreeIds };
    await readChangeSet(store, trees, budget.caps);
  }
  return packs.slice(fetched.length + 1);
}
