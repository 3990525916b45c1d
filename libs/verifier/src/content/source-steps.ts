import type { ContentFinding } from '@plat/contracts/core';
import { bringsNothing } from '../merge/merge-trees';
import { type Change, readSourceLine, type SourceCommit, type SourceLine } from '../objects/source-line';
import { readTargetCommits, type TargetCommit } from '../objects/target-commits';
import { compareTrees } from './judge-trees';
import type { LandedMerge } from './merge-reading';
import { areExactMerges } from './source-merges';

/** Most consecutive commits of the source that one landed commit may hold, if it does not hold all up to its last one. */
const SQUASHED_MAX = 8;
/** Most commits of others that may lie between two steps. */
const OTHERS_MAX = 40;
/** Most pairs of a landed commit and the commits that are left of the source that are compared. */
const SEARCHED_MAX = 600;

/** The commits of a target that are commits of the source, made again on the target. */
export interface SourceSteps {
  /** Ids, newest first. The first is the reported commit. */
  commitIds: string[];
  /** Whether they are the whole source. */
  isWhole: boolean;
  /** The places where a person decided a conflict of a step. */
  places: ContentFinding[];
  /** Whether a tree of the target has the first commits that are in no step. */
  wereThere(treeId: string): Promise<boolean>;
}

const NO_STEPS: SourceSteps = { commitIds: [], places: [], isWhole: false, wereThere: async () => true };

/** How the source landed, as far as steps were found. */
interface Walk extends Pick<SourceSteps, 'commitIds' | 'places'> {
  /** How many of its first commits did not land in a step, and were not on the target before. */
  left: number;
  /** How many were on the target before the steps. */
  there: number;
}

/**
 * Follows the target's first parents back from the landed commit, as long as commits of the source landed one by one. Each step
 * is judged by the recipe's merge of its commits onto the commit before it.
 *
 * @param parts commits that bring a part of the source: in them alone, besides the landed one, can a person have decided a
 *   conflict of the source
 * @throws RemoteFailure
 */
export async function findSteps(merge: LandedMerge, parts: ReadonlySet<string>): Promise<SourceSteps> {
  const { landing, onto, divergence, store } = merge;
  const { commitId, commit, sourceTip } = landing;
  const graph = new Map([...divergence.graph, [commitId, commit] as const]);
  const line = await readSourceLine(store, { graph, sourceTip, onto });
  if (line === undefined || commit.parentIds.length > 1) return NO_STEPS;
  const chain = await readTargetCommits([commitId, ...divergence.chain], { graph, store });
  const search = new StepSearch(merge, { line, chain, parts });
  const { commitIds, places, left, there } = await search.walkBack(0, line.commits, undefined);
  // A source that changes nothing has no step, so any commit would land it.
  const isAll = left === 0 && commitIds.length > 0;
  const isWhole = isAll && (await areExactMerges(line.merges, merge));
  const wereThere = async (treeId: string) =>
    there === 0 || (await search.stand(line.commits.slice(0, there), treeId));
  return { commitIds, places, isWhole, wereThere };
}

/** A step: the index of its first commit in the source, and the places that a person decided. */
interface Step {
  from: number;
  places: ContentFinding[];
}

interface Searched {
  line: SourceLine;
  /** The landed commit and those before it, newest first. */
  chain: readonly TargetCommit[];
  parts: ReadonlySet<string>;
}

class StepSearch {
  private readonly known = new Map<string, Step[]>();
  private readonly walks = new Map<string, Walk>();

  constructor(
    private readonly merge: LandedMerge,
    private readonly searched: Searched,
  ) {}

  /**
   * Looks for the steps of the source's first commits. A commit that is the pick of one can be that of several as well, if the
   * target had the others, so each way is tried until one is sound.
   *
   * @param at the index in the chain from which on they may have landed
   * @param before the tree before the step after them; undefined if the landed commit itself has to be one
   */
  async walkBack(at: number, commits: readonly SourceCommit[], before: string | undefined): Promise<Walk> {
    // Many ways lead to the same place: as many as there are subsets of the steps.
    const place = `${at} ${commits.length}`;
    const walk = this.walks.get(place) ?? (await this.findWalk(at, commits, before));
    this.walks.set(place, walk);
    return walk;
  }

  private async findWalk(
    at: number,
    commits: readonly SourceCommit[],
    before: string | undefined,
  ): Promise<Walk> {
    let best: Walk = { commitIds: [], places: [], left: commits.length, there: 0 };
    const end = before === undefined ? at + 1 : at + OTHERS_MAX;
    for (const [index, landed] of this.searched.chain.slice(0, end).entries()) {
      if (index < at) continue;
      const steps = await this.findSteps(commits, landed);
      if (steps.length === 0) continue;
      // Others may have taken back or changed what had landed, before the next step did.
      if (before !== undefined && index > at && !(await this.stand(commits, before))) return best;
      for (const step of steps) {
        const rest = await this.walkBack(index + 1, commits.slice(0, step.from), landed.before);
        const commitIds = [landed.commitId, ...rest.commitIds];
        const walk = { ...rest, commitIds, places: [...step.places, ...rest.places] };
        if (doubtOf(walk) === 0) return walk;
        best = best.commitIds.length === 0 || doubtOf(walk) < doubtOf(best) ? walk : best;
      }
    }
    // A rebase leaves out the first commits of the source if the target had their changes before.
    const there: Walk = { commitIds: [], places: [], left: 0, there: commits.length };
    if (before === undefined || doubtOf(best) <= doubtOf(there)) return best;
    return (await this.stand(commits, before)) ? there : best;
  }

  /** Whether a tree has all that the first commits of the source bring to the target. */
  async stand(commits: readonly SourceCommit[], treeId: string): Promise<boolean> {
    const { store, budget } = this.merge;
    const [first, last] = [commits[0], commits.at(-1)];
    if (first === undefined || last === undefined) return false;
    // The newest commit of the target that the source had merged by then is the merge base.
    const { merges } = this.searched.line;
    const merged = last.merges > 0 ? merges.at(-last.merges)?.ofTarget : undefined;
    if (merged !== undefined) await store.loadCommits([merged]);
    const base = merged === undefined ? first.before : store.commit(merged).treeId;
    return bringsNothing({ base, ours: treeId, theirs: last.treeId }, { store, budget });
  }

  /** The ways in which a landed commit is a step: the exact ones, fewest commits first, then one that a person decided. */
  private async findSteps(commits: readonly SourceCommit[], landed: TargetCommit): Promise<Step[]> {
    const key = `${landed.commitId} ${commits.length}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const steps =
      landed.isMerge || this.known.size >= SEARCHED_MAX ? [] : await this.compare(commits, landed);
    this.known.set(key, steps);
    return steps;
  }

  private async compare(commits: readonly SourceCommit[], landed: TargetCommit): Promise<Step[]> {
    const last = commits.at(-1);
    if (last === undefined) return [];
    const [exact, byHand]: [Step[], Step[]] = [[], []];
    // A merge in between brought the target's own work into the source.
    const together = [...commits.keys()].filter((index) => commits[index]?.merges === last.merges);
    const nearest = together.slice(-SQUASHED_MAX).reverse();
    for (const from of new Set([...nearest, ...together.slice(0, 1)])) {
      const base = (commits[from] as Change).before;
      const trees = { base, ours: landed.before, theirs: last.treeId, landed: landed.treeId };
      const { deviations, refused, isUnknown, places } = await compareTrees(trees, this.merge);
      if (deviations.length + refused.length > 0 || isUnknown) continue;
      (places.length === 0 ? exact : byHand).push({ from, places });
    }
    const mayBeByHand = landed === this.searched.chain[0] || this.searched.parts.has(landed.commitId);
    return [...exact, ...(mayBeByHand ? byHand.slice(0, 1) : [])];
  }
}

/** The less, the better a walk shows that the source landed in steps; 0 if nothing is left to show. */
function doubtOf({ left, places }: Walk): number {
  if (left > 0) return 2;
  return Math.sign(places.length);
}
