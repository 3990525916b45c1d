import type { Commit } from '../pack/commit';

/** Commits by id. A parent that has no entry lies outside of what was fetched. */
export type CommitGraph = ReadonlyMap<string, Commit>;

/** Every commit on a path of parent edges from `starts`, these and the parents outside of the graph included. */
export function reachableFrom(graph: CommitGraph, starts: Iterable<string>): Set<string> {
  const reached = new Set(starts);
  // A Set iterates over what is added meanwhile.
  for (const id of reached) {
    for (const parent of graph.get(id)?.parentIds ?? []) reached.add(parent);
  }
  return reached;
}

/** The commits from `tip` along first parents, newest first, as long as they are in the graph and `within` holds. */
export function firstParentChain(graph: CommitGraph, tip: string, within: (id: string) => boolean): string[] {
  const chain: string[] = [];
  let id: string | undefined = tip;
  while (id !== undefined && within(id)) {
    const commit: Commit | undefined = graph.get(id);
    if (commit === undefined) break;
    chain.push(id);
    id = commit.parentIds[0];
  }
  return chain;
}
