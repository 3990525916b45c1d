import type { Budget } from '../budget';
import { CarrierSearch } from '../changes/carrier-search';
import { readChangeSet } from '../changes/change-set';
import type { ObjectStore } from '../changes/object-store';
import type { CommitGraph } from '../history/commit-graph';
import type { Judgement } from './content-verdict';
import { judgeTrees, type LandedTrees } from './judge-trees';
import { broughtByMerge } from './merged-into';

/** Most commits of a source that are compared one by one. A source with more of them is judged as a whole only. */
const SOURCE_COMMITS_MAX = 32;
/** Most commits of the source in the landed commit, if those before them had landed already. */
const SQUASHED_MAX = 8;

/** A landing whose source may have landed commit by commit. Trees are ids, the newest first. */
export interface PickedLanding {
  graph: CommitGraph;
  /** The merge base, and the source's tip, which descends from it. */
  base: string;
  baseTreeId: string;
  sourceTip: string;
  landedTreeId: string;
  /** The landed commit's parent and the target's commits before it, along first parents. */
  chain: readonly string[];
}

/**
 * Whether the landed commit is the last of the source's commits, made again on the target, after the earlier ones had
 * landed: one by one in a rebase, or with another review on which this one is stacked. If so, the last commit is
 * compared with the source's commit before it, and may take back what that one added.
 *
 * @throws RemoteFailure
 */
export async function isPicked(store: ObjectStore, landing: PickedLanding, budget: Budget): Promise<boolean> {
  const source = sourceTrees(landing);
  if (source === undefined || source.length < 3) return false;
  const picks = new PickWalk(store, { ...landing, source }, budget);
  return picks.reachesTheBase();
}

/**
 * The verdict on a landing as the last of the source's commits, made again on a target that has the earlier ones. It
 * catches a decision that a merge of the whole source needs, but a merge of the last commits does not.
 *
 * @returns undefined if the target had none of the earlier ones, or the landing is sound this way too
 * @throws RemoteFailure
 */
export async function judgeLastPick(
  store: ObjectStore,
  landing: PickedLanding,
  budget: Budget,
): Promise<Judgement | undefined> {
  const source = sourceTrees(landing);
  if (source === undefined) return undefined;
  const picks = new PickWalk(store, { ...landing, source }, budget);
  const judgement = await picks.judgeLast();
  return judgement?.verdict === 'DIVERGENT' || judgement?.verdict === 'UNKNOWN' ? judgement : undefined;
}

/** Trees of the source's commits after the base's own; undefined if they do not form a single line. */
function sourceTrees({ graph, base, baseTreeId, sourceTip }: PickedLanding): string[] | undefined {
  const trees: string[] = [];
  for (let id: string = sourceTip; id !== base;) {
    const commit = graph.get(id);
    const [parentId] = commit?.parentIds ?? [];
    if (commit === undefined || parentId === undefined || commit.parentIds.length > 1) return undefined;
    trees.push(commit.treeId);
    if (trees.length > SOURCE_COMMITS_MAX) return undefined;
    id = parentId;
  }
  return [baseTreeId, ...trees.reverse()];
}

class PickWalk {
  constructor(
    private readonly store: ObjectStore,
    private readonly landing: PickedLanding & { source: readonly string[] },
    private readonly budget: Budget,
  ) {}

  async reachesTheBase(): Promise<boolean> {
    const { source, chain, graph, landedTreeId } = this.landing;
    let landed = landedTreeId;
    let position = source.length - 1;
    for (const [index, commitId] of chain.entries()) {
      const parent = graph.get(commitId)?.treeId;
      if (parent === undefined) return false;
      const before = await this.pickedFrom({ parent, landed, position }, index === 0);
      if (before === undefined) return false;
      position = before;
      if (position === 0) return index > 0;
      if (await this.landedBefore(position, { parent, chain: chain.slice(index) })) return true;
      landed = parent;
    }
    return false;
  }

  /**
   * Judges the step from the latest source commit that the landed commit's parent has. @returns undefined if it has
   * none
   */
  async judgeLast(): Promise<Judgement | undefined> {
    const { source, chain, graph, landedTreeId } = this.landing;
    const parent = chain[0] === undefined ? undefined : graph.get(chain[0])?.treeId;
    const tip = source.length - 1;
    if (parent === undefined) return undefined;
    for (let position = tip - 1; position >= Math.max(1, tip - SQUASHED_MAX); position -= 1) {
      // Earlier landings may have been taken back since, so the parent itself has to bring or carry this commit.
      const isThere =
        (await this.isBroughtByParent(position)) ||
        (await this.landedBefore(position, { parent, chain: chain.slice(0, 1) }));
      if (!isThere) continue;
      const trees = {
        base: source[position] as string,
        ours: parent,
        theirs: source[tip] as string,
        landed: landedTreeId,
      };
      return this.judgeStep(trees);
    }
    return undefined;
  }

  /** Whether the landed commit's parent is one commit of the source, or all up to it, made again on the target. */
  private async isBroughtByParent(position: number): Promise<boolean> {
    const { source, chain, graph } = this.landing;
    const [landed, ours] = chain.slice(0, 2).map((id) => graph.get(id)?.treeId);
    if (landed === undefined || ours === undefined) return false;
    for (const from of new Set([position - 1, 0])) {
      const trees = { base: source[from] as string, ours, theirs: source[position] as string, landed };
      if (await this.isStep(trees)) return true;
    }
    return false;
  }

  /**
   * The position in the source before the commits that the step from parent to landed makes; undefined if it makes
   * none.
   */
  private async pickedFrom(
    { parent, landed, position }: { parent: string; landed: string; position: number },
    isLast: boolean,
  ): Promise<number | undefined> {
    const { source } = this.landing;
    const theirs = source[position] as string;
    // An earlier step may hold one commit; the landed commit may hold several.
    const first = isLast ? Math.max(1, position - SQUASHED_MAX) : position - 1;
    for (let from = position - 1; from >= first; from -= 1) {
      if (await this.isStep({ base: source[from] as string, ours: parent, theirs, landed })) return from;
    }
    if (!isLast && (await this.isStep({ base: source[0] as string, ours: parent, theirs, landed }))) return 0;
    return undefined;
  }

  private async isStep(trees: LandedTrees['trees']): Promise<boolean> {
    if (trees.ours === trees.landed) return false;
    const judgement = await this.judgeStep(trees);
    return (
      judgement.verdict === 'EXACT' || (judgement.verdict === 'SAME_CHANGE' && judgement.reason === 'rename')
    );
  }

  private judgeStep(trees: LandedTrees['trees']): Promise<Judgement> {
    return judgeTrees(
      this.store,
      { trees, earlier: { ours: [], theirs: [] }, olderCommits: [] },
      this.budget,
    );
  }

  /**
   * Whether some commit of the target carries the source up to a position, and nothing of it is simply absent since.
   */
  private async landedBefore(
    position: number,
    { parent, chain }: { parent: string; chain: readonly string[] },
  ): Promise<boolean> {
    const { source, baseTreeId, graph } = this.landing;
    const sourceTreeId = source[position] as string;
    const trees = { base: baseTreeId, ours: parent, theirs: sourceTreeId };
    if ((await broughtByMerge(this.store, trees, this.budget)) === 'something') return false;
    const changes = await readChangeSet(this.store, { baseTreeId, sourceTreeId }, this.budget.caps);
    if (changes === undefined) return true;
    return (await new CarrierSearch(this.store, changes, this.budget).find(chain, graph)) !== undefined;
  }
}
