import type { Budget } from '../budget';
import { CarrierSearch } from '../changes/carrier-search';
import { readChangeSet } from '../changes/change-set';
import type { ObjectStore } from '../changes/object-store';
import type { CommitGraph } from '../history/commit-graph';
import type { Judgement } from './content-verdict';
import { judgeTrees, type LandedTrees } from './judge-trees';
import { broughtByMerge } from './merged-into';
import type { SourceCommit } from './source-line';
import { stepsOf } from './source-steps';
import type { OlderCommit } from './wrong-base';

/** Most commits of the source in the landed commit, if those before them had landed already. */
const SQUASHED_MAX = 8;

/** A landing whose source may have landed commit by commit. */
export interface PickedLanding {
  graph: CommitGraph;
  /** The source's commits, oldest first. */
  source: readonly SourceCommit[];
  /** Tree of the merge base. */
  base: OlderCommit;
  landedTreeId: string;
  /** Ids of the landed commit's parent and the target's commits before it, along first parents. */
  chain: readonly string[];
  /** The merge before it in its queue. The commits since are no landings of other reviews. */
  anchorCommitId?: string | undefined;
}

/**
 * Whether the landed commit is the last of the source's commits, made again on the target, after the earlier ones had
 * landed: one by one in a rebase, or with another review on which this one is stacked. If so, the last commit is
 * compared with the source's commit before it, and may take back what that one added. `perhaps`: an earlier commit may
 * be the source's with a conflict decided by hand, or another change to the same lines.
 *
 * @throws RemoteFailure
 */
export async function isPicked(
  store: ObjectStore,
  landing: PickedLanding,
  budget: Budget,
): Promise<boolean | 'perhaps'> {
  if (landing.source.length <= 1) return false;
  const walk = new PickWalk(store, landing, budget);
  return (await walk.reachesTheBase()) && (walk.isUnclear ? 'perhaps' : true);
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
  if (landing.source.length === 0) return undefined;
  const judgement = await new PickWalk(store, landing, budget).judgeLast();
  return judgement?.verdict === 'DIVERGENT' || judgement?.verdict === 'UNKNOWN' ? judgement : undefined;
}

/**
 * The verdict on the earlier commits of a source that landed commit by commit, if one of them was made on an older
 * commit of the target and so took others' work back before the last one landed, or had content that is not the
 * source's.
 *
 * @returns undefined if there is no such commit
 * @throws RemoteFailure
 */
export async function judgeEarlierPicks(
  store: ObjectStore,
  landing: PickedLanding,
  budget: Budget,
): Promise<Judgement | undefined> {
  return landing.source.length > 1 ? new PickWalk(store, landing, budget).judgeEarlier() : undefined;
}

class PickWalk {
  /** Set if a commit without lines of the source was taken for one of the source's. */
  isUnclear = false;

  constructor(
    private readonly store: ObjectStore,
    private readonly landing: PickedLanding,
    private readonly budget: Budget,
  ) {}

  async reachesTheBase(): Promise<boolean> {
    const { source, chain, graph, landedTreeId } = this.landing;
    let landed = landedTreeId;
    let position = source.length;
    for (const [index, commitId] of chain.entries()) {
      const parent = graph.get(commitId)?.treeId;
      if (parent === undefined) return false;
      const landedId = index === 0 ? undefined : chain[index - 1];
      const before = await this.pickedFrom({ parent, landed, position }, landedId);
      if (before === undefined) return false;
      position = before;
      if (position === 0) return index > 0;
      if (await this.landedBefore(position, { parent, chain: chain.slice(index) })) return true;
      landed = parent;
    }
    return false;
  }

  /**
   * Judges the step from the latest source commit that the landed commit's parent has to the source's tip.
   * @returns undefined if the parent has no commit of the source
   */
  async judgeLast(): Promise<Judgement | undefined> {
    const { source, chain, graph, landedTreeId } = this.landing;
    const parent = chain[0] === undefined ? undefined : graph.get(chain[0])?.treeId;
    const tip = source.length;
    if (parent === undefined) return undefined;
    for (let position = tip - 1; position >= Math.max(1, tip - SQUASHED_MAX); position -= 1) {
      // Earlier landings may have been taken back since, so the parent itself has to bring or carry this commit.
      const isThere =
        (await this.isBroughtByParent(position)) ||
        (await this.landedBefore(position, { parent, chain: chain.slice(0, 1) }));
      if (!isThere) continue;
      return this.judgeStep({ ...this.stepFrom(position, tip), ours: parent, landed: landedTreeId });
    }
    return undefined;
  }

  /** Whether the landed commit's parent is one commit of the source, or all up to it, made again on the target. */
  private async isBroughtByParent(position: number): Promise<boolean> {
    const { chain, graph } = this.landing;
    const [landed, ours] = chain.slice(0, 2).map((id) => graph.get(id)?.treeId);
    if (landed === undefined || ours === undefined) return false;
    for (const from of new Set([position - 1, 0])) {
      if (await this.isStep({ ...this.stepFrom(from, position), ours, landed })) return true;
    }
    return false;
  }

  /**
   * Judges the landed commit's parent and those before it, as long as each is a commit of the source, made again.
   * @returns the verdict on the first that was made on an older commit of the target, or has other content since the anchor
   */
  async judgeEarlier(): Promise<Judgement | undefined> {
    const { source, chain, graph, base, anchorCommitId } = this.landing;
    const sinceAnchor = commitsSince(anchorCommitId, chain);
    let position = source.length - 1;
    for (const [index, commitId] of chain.entries()) {
      const landed = graph.get(commitId)?.treeId;
      // A commit that restores an older tree brings nothing to it: a revert, not a commit of the source.
      const older = [...chain.slice(index + 2).flatMap((id) => olderCommit(graph, id)), base].filter(
        ({ treeId }) => treeId !== landed,
      );
      const ours = graph.get(chain[index + 1] ?? '')?.treeId ?? base.treeId;
      if (position < 1 || landed === undefined) return undefined;
      if (landed === ours) continue;
      if (!(await this.bringsLines(commitId))) return undefined;
      const judged = await this.judgePick({ ours, landed, position, older });
      if (judged === undefined || (isBesidesOnly(judged) && index >= sinceAnchor)) return undefined;
      if (typeof judged !== 'number') return judged;
      position = judged;
    }
    return undefined;
  }

  /**
   * The position in the source before the commits that one landed commit holds; the verdict if it was made on an older
   * commit, or holds other content besides them; undefined if it holds none.
   */
  private async judgePick({
    position,
    older,
    ...trees
  }: {
    position: number;
    older: OlderCommit[];
    ours: string;
    landed: string;
  }): Promise<number | Judgement | undefined> {
    let besides: Judgement | undefined;
    for (let last = position; last > Math.max(0, position - SQUASHED_MAX); last -= 1) {
      for (const from of new Set([last - 1, 0])) {
        const judgement = await this.judgeStep({ ...this.stepFrom(from, last), ...trees }, older);
        if ('builtOnCommitId' in judgement) return judgement;
        if (judgement.verdict === 'EXACT' || judgement.verdict === 'SAME_CHANGE') return from;
        if (isBesidesOnly(judgement)) {
          besides ??= { ...judgement, verdict: 'UNKNOWN', reason: 'extra_content' };
        }
      }
    }
    return besides;
  }

  /**
   * The trees before and after the source's commits from index `from` to before `position`. All from the first one count
   * from the target's commit that they merged last: what they merged is not the source's.
   */
  private stepFrom(from: number, position: number): { base: string; theirs: string } {
    const { source } = this.landing;
    const last = source[position - 1] as SourceCommit;
    return { base: from === 0 ? last.onto : (source[from] as SourceCommit).before, theirs: last.treeId };
  }

  /** Whether a commit of the target adds lines or files that the source added. */
  private async bringsLines(commitId: string): Promise<boolean> {
    const { graph, source, landedTreeId } = this.landing;
    const { base: baseTreeId, theirs: sourceTreeId } = this.stepFrom(0, source.length);
    const changes = await readChangeSet(this.store, { baseTreeId, sourceTreeId }, this.budget.caps);
    if (changes === undefined) return false;
    const asked = {
      graph: this.withBase(graph),
      store: this.store,
      changes,
      target: landedTreeId,
      budget: this.budget,
    };
    return (await stepsOf([commitId], asked)).some(({ brings }) => brings);
  }

  /** The commits together with the merge base, so that the oldest commit has its parent. */
  private withBase(graph: CommitGraph): CommitGraph {
    const { commitId, treeId } = this.landing.base;
    return graph.has(commitId) ? graph : new Map([...graph, [commitId, { treeId, parentIds: [] }]]);
  }

  /**
   * The position in the source before the commits that the step from parent to landed makes; undefined if it makes
   * none. `landedId` is absent for the landed commit itself.
   */
  private async pickedFrom(
    { parent, landed, position }: { parent: string; landed: string; position: number },
    landedId: string | undefined,
  ): Promise<number | undefined> {
    // An earlier step may hold one commit; the landed commit may hold several.
    const first = landedId === undefined ? Math.max(1, position - SQUASHED_MAX) : position - 1;
    for (let from = position - 1; from >= first; from -= 1) {
      if (await this.isStep({ ...this.stepFrom(from, position), ours: parent, landed })) return from;
    }
    if (landedId === undefined) return undefined;
    const whole = { ...this.stepFrom(0, position), ours: parent, landed };
    if (await this.isStep(whole)) return 0;
    const { verdict } = await this.judgeStep({
      ...this.stepFrom(position - 1, position),
      ours: parent,
      landed,
    });
    if (verdict !== 'SAME_CHANGE') return undefined;
    // This commit's conflicts were decided by hand.
    if (!(await this.bringsLines(landedId))) this.isUnclear = true;
    return position - 1;
  }

  private async isStep(trees: LandedTrees['trees']): Promise<boolean> {
    if (trees.ours === trees.landed) return false;
    const judgement = await this.judgeStep(trees);
    return (
      judgement.verdict === 'EXACT' || (judgement.verdict === 'SAME_CHANGE' && judgement.reason === 'rename')
    );
  }

  private judgeStep(
    trees: LandedTrees['trees'],
    olderCommits: readonly OlderCommit[] = [],
  ): Promise<Judgement> {
    return judgeTrees(this.store, { trees, earlier: { ours: [], theirs: [] }, olderCommits }, this.budget);
  }

  /**
   * Whether some commit of the target carries the source up to a position, and nothing of it is simply absent since.
   */
  private async landedBefore(
    position: number,
    { parent, chain }: { parent: string; chain: readonly string[] },
  ): Promise<boolean> {
    const { graph } = this.landing;
    const { base: baseTreeId, theirs: sourceTreeId } = this.stepFrom(0, position);
    const trees = { base: baseTreeId, ours: parent, theirs: sourceTreeId };
    if ((await broughtByMerge(this.store, trees, this.budget)) === 'something') return false;
    const changes = await readChangeSet(this.store, { baseTreeId, sourceTreeId }, this.budget.caps);
    if (changes === undefined) return true;
    return (await new CarrierSearch(this.store, changes, this.budget).find(chain, graph)) !== undefined;
  }
}

/** How many of a chain's commits come after the anchor: all if it is not among them, and 0 if there is none. */
function commitsSince(anchorCommitId: string | undefined, chain: readonly string[]): number {
  if (anchorCommitId === undefined) return 0;
  const anchor = chain.indexOf(anchorCommitId);
  return anchor < 0 ? chain.length : anchor;
}

const isBesidesOnly = (judged: Judgement | number): judged is Judgement & { isBesidesOnly: true } =>
  typeof judged !== 'number' && 'isBesidesOnly' in judged && judged.isBesidesOnly === true;

function olderCommit(graph: CommitGraph, commitId: string): OlderCommit[] {
  const treeId = graph.get(commitId)?.treeId;
  return treeId === undefined ? [] : [{ commitId, treeId }];
}
