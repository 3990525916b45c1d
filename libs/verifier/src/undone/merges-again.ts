import type { Budget } from '../budget';
import { compareTrees, type Comparison } from '../content/judge-trees';
import { type CommitGraph, reachableFrom } from '../history/commit-graph';
import type { ObjectStore } from '../objects/object-store';
import type { UndonePart } from './find-undone';

/** Most merges that are made again, and most merge bases with which each is made. */
const MERGES_MAX = 16;
const BASES_MAX = 4;

/** A merge into a source, or the landing: the tree that was made, and the ids of the two commits. */
export interface MadeMerge {
  treeId: string;
  own: string;
  other: string;
}

interface Reading {
  graph: CommitGraph;
  store: ObjectStore;
  budget: Budget;
}

/** Makes merges again, each once. */
export class MergesAgain {
  /** The comparisons, one for each merge base; the keys are the ids of the tree and of the two commits. */
  private readonly made = new Map<string, Comparison[]>();

  constructor(private readonly reading: Reading) {}

  /**
   * Commits that merged each other have several merge bases. A merge has lost a part outside of a conflict if it has by each of
   * them.
   *
   * @returns undefined if the merge is as git makes it, or cannot be made again
   */
  async howLost(
    { work: { at } }: UndonePart,
    merge: MadeMerge,
  ): Promise<'dropped_by_merge' | 'dropped_in_conflict' | undefined> {
    // The landing of a source can have the tree of a merge in it.
    const key = `${merge.treeId} ${merge.own} ${merge.other}`;
    if (!this.made.has(key)) {
      if (this.made.size === MERGES_MAX) return undefined;
      this.made.set(key, await this.compare(merge));
    }
    const isAt = ({ path }: { path: string }) => path === at.path || path === at.landedPath;
    const ways = (this.made.get(key) ?? []).map(({ deviations, refused, places }) => {
      if (deviations.some(isAt)) return 'dropped_by_merge';
      return [...refused, ...places].some(isAt) ? 'dropped_in_conflict' : undefined;
    });
    if (ways.length === 0 || ways.includes(undefined)) return undefined;
    return ways.includes('dropped_in_conflict') ? 'dropped_in_conflict' : 'dropped_by_merge';
  }

  private async compare({ treeId, own, other }: MadeMerge): Promise<Comparison[]> {
    const { graph, store, budget } = this.reading;
    const bases = mergeBasesIn(graph, own, other).slice(0, BASES_MAX);
    await store.loadCommits([own, other, ...bases]);
    const tree = (id: string) => store.commit(id).treeId;
    const compared: Comparison[] = [];
    for (const base of bases) {
      const trees = { base: tree(base), ours: tree(own), theirs: tree(other), landed: treeId };
      compared.push(await compareTrees(trees, { store, budget }));
    }
    return compared;
  }
}

/** The merge bases of two commits, as far as the history that was read shows them. */
function mergeBasesIn(graph: CommitGraph, one: string, other: string): string[] {
  const ofOther = reachableFrom(graph, [other]);
  const common = [...reachableFrom(graph, [one])].filter((id) => ofOther.has(id));
  const older = new Set(common.flatMap((id) => graph.get(id)?.parentIds ?? []));
  return common.filter((id) => !older.has(id));
}
