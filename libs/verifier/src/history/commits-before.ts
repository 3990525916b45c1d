import type { RemoteRepository } from '../protocol/remote-repository';
import { type CommitGraph, firstParentChain } from './commit-graph';
import { fetchHistoryAtOnce } from './fetch-history';

/** Generations that are read before a commit. */
const GENERATIONS_MAX = 256;

/**
 * The commits before one along first parents with their root directories, newest first, at most 256. Empty if the server
 * cannot send commits alone.
 *
 * @param graph what is known of the history
 * @throws RemoteFailure
 */
export async function commitsBefore(
  id: string,
  { remote, graph }: { remote: RemoteRepository; graph: CommitGraph },
): Promise<{ commitId: string; treeId: string }[]> {
  const { version, filter } = remote.capabilities;
  // A server of version 0 has sent the whole history, so the graph has it.
  const known = version === 0 ? graph : filter ? await fetchBefore(id, remote) : new Map();
  return firstParentChain(known, id, () => true)
    .slice(1, GENERATIONS_MAX)
    .flatMap((commitId) => {
      const treeId = known.get(commitId)?.treeId;
      return treeId === undefined ? [] : [{ commitId, treeId }];
    });
}

async function fetchBefore(id: string, remote: RemoteRepository): Promise<CommitGraph> {
  const { commits } = await fetchHistoryAtOnce(remote, {
    wants: [id],
    haves: [],
    generations: GENERATIONS_MAX,
  });
  return commits;
}
