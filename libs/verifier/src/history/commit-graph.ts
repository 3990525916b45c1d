import type { Commit } from '../pack/commit';

/** Commits by id. A parent without an entry was not fetched. */
export type CommitGraph = ReadonlyMap<string, Commit>;

/** Every commit on a path of parent edges from `starts`, including `starts` and the parents outside of the graph. */
export function reachableFrom(graph: CommitGraph, starts: Iterable<string>): Set<string> {
  const reached = new Set(starts);
  // A Set's iteration includes elements that are added during it.
  for (const id of reached) {
    for (const parent of graph.get(id)?.parentIds ?? []) reached.add(parent);
  }
  return reached;
}

/** Every commit of the graph from which parent edges lead to `id`. */
export function descendantsOf(graph: CommitGraph, id: string): Set<string> {
  const children = new Map<string, string[]>();
  for (const [child, { parentIds }] of graph) {
    for (const parent of parentIds) {
      const known = children.get(parent);
      if (known) known.push(child);
      else children.set(parent, [child]);
    }
  }
  const found = new Set([id]);
  for (const each of found) for (const child of children.get(each) ?? []) found.add(child);
  found.delete(id);
  return found;
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
