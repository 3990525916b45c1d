import type { Budget } from '../budget';
import { CarrierSearch } from '../changes/carrier-search';
import { readChangeSet } from '../changes/change-set';
import type { ObjectStore } from '../changes/object-store';
import type { CommitGraph } from '../history/commit-graph';
import type { Judgement } from './content-verdict';
import { judgeTrees, type LandedTrees } from './judge-trees';
import { broughtByMerge } from './merged-into';

/** Commits of a source that are looked at one by one; one with more of them is judged as a whole only. */
const SOURCE_COMMITS_MAX = 32;
/** How many commits of the source the landed commit may hold when those before it had landed already. */
const SQUASHED_MAX = 8;

/** A landing whose source may have come commit by commit. Trees are ids, the newest first. */
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
 * Whether the landed commit is the last of the source's commits, made again on the target, and those before it landed
 * before: one by one in a rebase, or with another review on which this one is stacked. Then an earlier commit of the
 * source is what the last one is compared with, and what it takes back of these is its own.
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
 * The verdict on a landing as the last of the source's commits, made again on a target that has those before it: where
 * these need no decision, somebody's decision in a merge of the whole source is none.
 *
 * @returns undefined where the target had none of them, or that landing is sound as well
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

/** Trees of the source's commits, that of the base first; undefined when they are no single line. */
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

  /** The step from the last of the source's commits that the landed commit's parent has, if there is one. */
  async judgeLast(): Promise<Judgement | undefined> {
    const { source, chain, graph, landedTreeId } = this.landing;
    const parent = chain[0] === undefined ? undefined : graph.get(chain[0])?.treeId;
    const tip = source.length - 1;
    if (parent === undefined) return undefined;
    for (let position = tip - 1; position >= Math.max(1, tip - SQUASHED_MAX); position -= 1) {
      // What landed before may have been taken back since: the parent itself has to bring or to carry it.
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

  /** Whether the landed commit's parent is what makes one commit of the source, or all up to it, again on the target. */
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

  /** The place in the source from which on the step from parent to landed takes its commits; undefined if it is no such step. */
  private async pickedFrom(
    { parent, landed, position }: { parent: string; landed: string; position: number },
    isLast: boolean,
  ): Promise<number | undefined> {
    const { source } = this.landing;
    const theirs = source[position] as string;
    // Below the landed commit: one commit, or what was squashed before it.
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

  /** Some commit of the target carries the source up to here, and nothing of that is simply absent any more. */
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
