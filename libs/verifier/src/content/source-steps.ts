import type { ContentFinding } from '@plat/contracts/core';
import type { CommitGraph } from '../history/commit-graph';
import { bringsNothing } from '../merge/merge-trees';
import { type Change, readSourceLine, type SourceCommit, type SourceLine } from '../objects/source-line';
import { readTargetCommits, type TargetCommit } from '../objects/target-commits';
import { compareTrees, type Comparison } from './judge-trees';
import type { LandedMerge } from './merge-reading';
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
  const line = await readSourceLine(store, { graph, sourceTip, onto });
  if (line === undefined || commit.parentIds.length > 1) return { commitIds: [], isWhole: false, places: [] };
  const walk = await walkBack({ line, graph, parts }, merge);
  const rest = isSoundly(walk) ? undefined : await findSquashed(walk, merge);
  const { left, commitIds, places } = rest ?? walk;
  return { commitIds, places, isWhole: left === 0 && (await areExactMerges(line.merges, merge)) };
}

/** The steps that were found, and how many commits of the source did not land in one. */
interface Walk extends Pick<SourceSteps, 'commitIds' | 'places'> {
  left: number;
  /** The steps after which some were left, oldest first: the walk up to each, and the commits that were left before it. */
  begun: { walk: Walk; landed: TargetCommit; commits: readonly SourceCommit[] }[];
}

const isSoundly = ({ left, places }: Walk): boolean => left === 0 && places.length === 0;

interface Walked {
  line: SourceLine;
  graph: CommitGraph;
  parts: ReadonlySet<string>;
}

async function walkBack({ line, graph, parts }: Walked, merge: LandedMerge): Promise<Walk> {
  const { landing, divergence, store } = merge;
  let { commits } = line;
  const walk: Walk = { commitIds: [], places: [], left: commits.length, begun: [] };
  let before: string | undefined;
  let [others, isGap] = [0, false];
  const chain = [landing.commitId, ...divergence.chain];
  for (const landed of await readTargetCommits(chain, { graph, store })) {
    const mayBeByHand = landed.commitId === landing.commitId || parts.has(landed.commitId);
    const step = landed.isMerge ? undefined : await findStep(commits, landed, { merge, mayBeByHand });
    if (step === undefined) {
      if (before === undefined || (others += 1) > OTHERS_MAX) break;
      isGap = true;
      continue;
    }
    // Others may have taken back or changed what had landed, before the next step did.
    if (isGap && before !== undefined && !(await stillStand(commits, before, { line, merge }))) return walk;
    walk.commitIds.push(landed.commitId);
    walk.places.push(...step.places);
    walk.left = step.from;
    if (walk.left === 0) return walk;
    const { commitIds, places } = walk;
    const sofar = { commitIds: [...commitIds], places: [...places], left: step.from, begun: [] };
    walk.begun.unshift({ walk: sofar, landed, commits });
    commits = commits.slice(0, step.from);
    before = landed.before;
    isGap = false;
  }
  // A rebase leaves out the first commits of the source if the target had their changes before.
  if (before !== undefined && (await stillStand(commits, before, { line, merge }))) walk.left = 0;
  return walk;
}

/** A step may hold all commits that are left: then those before it need not have landed soundly. */
async function findSquashed({ begun }: Walk, merge: LandedMerge): Promise<Walk | undefined> {
  for (const { walk, landed, commits } of begun) {
    const [first, last] = [commits[0], commits.at(-1)];
    if (first === undefined || last === undefined || first.merges !== last.merges) continue;
    const trees = { base: first.before, ours: landed.before, theirs: last.treeId, landed: landed.treeId };
    if (walk.places.length === 0 && isExact(await compareTrees(trees, merge))) return { ...walk, left: 0 };
  }
  return undefined;
}

const isExact = ({ deviations, refused, isUnknown, places }: Comparison): boolean =>
  deviations.length + refused.length + places.length === 0 && !isUnknown;

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
