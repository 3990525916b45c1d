import type { ContentFinding } from '@plat/contracts/core';
import type { Budget } from '../budget';
import type { ObjectStore } from '../changes/object-store';
import type { Range } from '../merge/merge-template';
import { findRun } from '../merge/text';
import type { Versions } from '../merge/versions';
import { type BeforeSearch, findBaseBefore } from './base-before';
import { decidedByHand, divergent, type Judgement, sameChange, unknown } from './content-verdict';
import { findDisputedPaths } from './disputed-paths';
import type { EarlierTrees } from './earlier-versions';
import { type Deviation, linesIn } from './finding';
import type { LandedPath } from './landed-path';
import { joinMovedPaths } from './moved-paths';
import { PathJudge, type PathOutcome } from './path-judge';
import { type JudgedPath as Judged, settleMoves } from './settled-moves';
import { findStale } from './stale-paths';
import {
  findWrongBase,
  type LandedPaths,
  type OlderCommit,
  type OlderCommits,
  type WrongBase,
} from './wrong-base';

/** The trees of a landing by id, with those of each side's earlier commits. */
export interface LandedTrees {
  trees: Required<Versions<string>>;
  earlier: EarlierTrees;
  /**
   * The target's commits before the landed one's parent, newest first, back to the commit at which the branches parted.
   */
  olderCommits: readonly OlderCommit[];
  /** Reads the commits before that one, newest first. @throws RemoteFailure */
  before?: () => Promise<readonly OlderCommit[]>;
}

/** Paths whose files are fetched together. */
const BATCH = 200;

/**
 * Compares a landed tree with the merge of source and parent, path by path. Undisputed content has to equal the merge.
 * Decided conflicts are checked against earlier versions of both sides.
 *
 * @throws RemoteFailure
 */
export async function judgeTrees(
  store: ObjectStore,
  landing: LandedTrees,
  budget: Budget,
): Promise<Judgement> {
  const { trees } = landing;
  const { caps } = budget;
  const disputed = await findDisputedPaths(store, trees, caps);
  const moved = await joinMovedPaths(disputed.paths, { store, trees, budget });
  const judge = new PathJudge(store, budget.texts);
  const judged = await settleMoves(await judgePaths(moved.paths, judge), moved.apart, {
    judge,
    store,
    trees,
  });
  const isUnclear = disputed.isUnclear || moved.isUnclear;
  const of = (kind: PathOutcome['kind']) => judged.filter(({ outcome }) => outcome.kind === kind);
  const deviating = of('deviates');
  const decided = of('decided');
  const open = [...deviating, ...decided].map(({ path }) => path);
  const paths = { open, others: besides(open, moved.paths) };
  const older = { store, judge, parentTreeId: trees.ours, commits: landing.olderCommits };
  if (deviating.length > 0) {
    const deviations = deviationsIn(deviating);
    const builtOn = await builtOnFor(deviations, paths, older);
    return builtOn
      ? divergent(deviations.map(takenBackByMove), builtOn.commit.commitId)
      : divergent(deviations);
  }
  if (of('unknown').length > 0) return unknown('too_tangled');
  const stale = await findStale(decided, { store, judge, landing, budget, judgeAgain: judgeTrees });
  const certain = stale.filter(({ isUnclear }) => !isUnclear);
  if (certain.length > 0) return divergent(certain);
  const search = { ...older, trees, budget, before: landing.before };
  const builtOn = await builtOnForDecided(decided, paths, search);
  const undone = builtOn ? decided.flatMap(takenBack) : [];
  if (builtOn && !builtOn.isUnclear) {
    return divergent(undone.length > 0 ? undone : open.map(undoneIn), builtOn.commit.commitId);
  }
  const kept = decided.flatMap(({ path, outcome }) =>
    'text' in outcome && outcome.text ? [] : judge.deviationsOfKept(path),
  );
  if (kept.length > 0) return divergent(kept);
  const unclear = [...stale, ...undone, ...decided.flatMap(({ outcome }) => unclearIn(outcome))];
  if (unclear.length > 0) return unknown('conflict_resolved', unclear);
  const layout = deviationsIn(of('layout'));
  if (layout.length > 0) return unknown('layout', layout);
  return judgeSound(decided, { isMoved: of('moved').length > 0, isUnclear });
}

/** The verdict on a landing without deviations. */
function judgeSound(
  decided: readonly Judged[],
  { isMoved, isUnclear }: { isMoved: boolean; isUnclear: boolean },
): Judgement {
  const places = decided.flatMap(decisionsOf);
  if (places.length > 0) return decidedByHand(places, isMoved ? 'rename' : 'conflict_resolved');
  return isMoved || isUnclear ? sameChange('rename') : { verdict: 'EXACT' };
}

/** Judges the paths that differ from their merge, in batches whose files are fetched together. */
async function judgePaths(paths: readonly LandedPath[], judge: PathJudge): Promise<Judged[]> {
  await judge.loadMerges(paths);
  const others = paths.filter((path) => !judge.isAsMerged(path));
  const judged: Judged[] = [];
  for (let start = 0; start < others.length; start += BATCH) {
    const batch = others.slice(start, start + BATCH);
    await judge.loadAll(batch);
    judged.push(...batch.map((path) => ({ path, outcome: judge.judge(path) })));
  }
  return judged;
}

/**
 * Searches the wrong base of a landing, but only if work of the target is gone: undone, or missing at the path to which
 * the target moved it.
 */
async function builtOnFor(
  deviations: readonly Deviation[],
  paths: LandedPaths,
  older: Parameters<typeof findWrongBase>[1],
): Promise<WrongBase | undefined> {
  const isUndone = deviations.some(({ reason }) => reason === 'target_change_undone');
  const isGone = isUndone || paths.open.some(({ renamedBy, landed }) => renamedBy === 'ours' && !landed);
  return isGone && paths.open.length <= BATCH ? findWrongBase(paths, older) : undefined;
}

/** Searches the wrong base of a landing with decided conflicts: since the branches parted, and then before. */
async function builtOnForDecided(
  decided: readonly Judged[],
  paths: LandedPaths,
  search: BeforeSearch & Pick<OlderCommits, 'commits'>,
): Promise<WrongBase | undefined> {
  if (decided.length === 0) return undefined;
  const since = await findWrongBase(paths, search);
  if (since && !since.isUnclear) return since;
  const commit = await findBaseBefore(decided, paths, search);
  return commit ? { commit, isUnclear: false } : since;
}

function besides(open: readonly LandedPath[], paths: readonly LandedPath[]): LandedPath[] {
  const names = new Set(open.map(({ path }) => path));
  return paths.filter(({ path }) => !names.has(path));
}

const unclearIn = (outcome: PathOutcome): Deviation[] =>
  outcome.kind === 'decided' ? (outcome.unclear ?? []) : [];

/** The places where a person decided a conflict: lines of the landed file, or the file as a whole. */
function decisionsOf({ path: { path }, outcome }: Judged): ContentFinding[] {
  if (outcome.kind !== 'decided') return [];
  const places = outcome.text?.decisions.filter(({ start, end }) => start < end) ?? [];
  if (places.length === 0) return [{ kind: 'by_hand', path }];
  return places.map((lines) => ({ kind: 'by_hand', path, ...linesIn('landed', lines) }));
}

const deviationsIn = (judged: readonly Judged[]): Deviation[] =>
  judged.flatMap(({ outcome }) => ('deviations' in outcome ? outcome.deviations : []));

/**
 * Turns a missing file into one that was taken back: a landing onto an older commit has the whole source, so a file is
 * missing at its path only because the target moved it since.
 */
function takenBackByMove(deviation: Deviation): Deviation {
  const { path, kind, firstLine } = deviation;
  if (kind !== 'missing' || firstLine !== undefined) return deviation;
  return undoneIn({ path });
}

const undoneIn = ({ path }: { path: string }): Deviation => ({
  path,
  kind: 'undone',
  in: 'target',
  reason: 'target_change_undone',
});

/** The deviations of a decided path from which the target's content is gone. */
function takenBack({ path: { path }, outcome }: Judged): Deviation[] {
  const undone = undoneIn({ path });
  if (outcome.kind !== 'decided' || outcome.text === undefined) return [undone];
  const { template, decisions, texts, landed } = outcome.text;
  return template.holes.flatMap(({ hole: { ours } }, index) => {
    const { start, end } = decisions[index] as Range;
    const lines = texts.ours.slice(ours.start, ours.end);
    const isKept = lines.length > 0 && findRun(landed.slice(start, end), lines) !== undefined;
    return isKept ? [] : [{ ...undone, ...linesIn('target', ours) }];
  });
}
