import type { ContentFinding } from '@plat/contracts/core';
import { bringsNothing } from '../merge/merge-trees';
import { readTargetCommits, type TargetCommit } from '../objects/target-commits';
import { compareTrees } from './judge-trees';
import type { LandedMerge } from './merge-reading';
import { type Change, readSourceLine, type SourceCommit, type SourceLine } from './source-line';
import { areExactMerges } from './source-merges';

/** Most consecutive commits of the source that one landed commit may hold, if it does not hold all up to its last one. */
const SQUASHED_MAX = 8;
/** Most commits of others that may lie between two steps. */
const OTHERS_MAX = 40;

/** The commits of a target that are commits of the source, made again on the target. */
export interface SourceSteps {
  /** Ids, newest first. The first is the reported commit. */
  commitIds: string[];
  /** Whether they are the whole source. */
  isWhole: boolean;
  /** Where a person decided a conflict of a step. */
  places: ContentFinding[];
}

/** A step: the index of its first commit in the source, and the places that a person decided. */
interface Step {
  from: number;
  places: ContentFinding[];
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
  const steps: SourceSteps = { commitIds: [], isWhole: false, places: [] };
  const line = await readSourceLine(store, { graph, sourceTip, onto });
  if (line === undefined || commit.parentIds.length > 1) return steps;
  let { commits } = line;
  let before: string | undefined;
  let [others, isGap] = [0, false];
  for (const landed of await readTargetCommits([commitId, ...divergence.chain], { graph, store })) {
    const mayBeByHand = landed.commitId === commitId || parts.has(landed.commitId);
    const step = landed.isMerge ? undefined : await findStep(commits, landed, { merge, mayBeByHand });
    if (step === undefined) {
      if (before === undefined || (others += 1) > OTHERS_MAX) return steps;
      isGap = true;
      continue;
    }
    // Others may have taken back or changed what had landed, before the next step did.
    if (isGap && before !== undefined && !(await stillStand(commits, before, { line, merge }))) return steps;
    steps.commitIds.push(landed.commitId);
    steps.places.push(...step.places);
    commits = commits.slice(0, step.from);
    if (commits.length === 0) return { ...steps, isWhole: await areExactMerges(line.merges, merge) };
    before = landed.before;
    isGap = false;
  }
  return steps;
}

/** Whether a tree has all that the first commits of a source bring to the target. */
async function stillStand(
  commits: readonly SourceCommit[],
  treeId: string,
  { line, merge: { store, budget } }: { line: SourceLine; merge: LandedMerge },
): Promise<boolean> {
  const [first, last] = [commits[0], commits.at(-1)];
  if (first === undefined || last === undefined) return false;
  // The newest commit of the target that the source had merged by then is the merge base.
  const merged = last.merges > 0 ? line.merges.at(-last.merges)?.ofTarget : undefined;
  if (merged !== undefined) await store.loadCommits([merged]);
  const base = merged === undefined ? first.before : store.commit(merged).treeId;
  return bringsNothing({ base, ours: treeId, theirs: last.treeId }, { store, budget });
}

/** Finds the last commits of a source that a landed commit holds. @returns undefined if it holds none */
async function findStep(
  commits: readonly SourceCommit[],
  { before, treeId }: TargetCommit,
  { merge, mayBeByHand }: { merge: LandedMerge; mayBeByHand: boolean },
): Promise<Step | undefined> {
  const last = commits.at(-1);
  if (last === undefined) return undefined;
  let byHand: Step | undefined;
  // A merge in between brought the target's own work into the source.
  const together = [...commits.keys()].filter((index) => commits[index]?.merges === last.merges);
  const nearest = together.slice(-SQUASHED_MAX).reverse();
  for (const from of new Set([...nearest, ...together.slice(0, 1)])) {
    const base = (commits[from] as Change).before;
    const trees = { base, ours: before, theirs: last.treeId, landed: treeId };
    const { deviations, refused, isUnknown, places } = await compareTrees(trees, merge);
    if (deviations.length + refused.length > 0 || isUnknown) continue;
    if (places.length === 0) return { from, places };
    byHand ??= { from, places };
  }
  return mayBeByHand ? byHand : undefined;
}
