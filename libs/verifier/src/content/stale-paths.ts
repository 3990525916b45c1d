import type { Budget } from '../budget';
import type { ObjectStore } from '../changes/object-store';
import { isSameEntry } from '../pack/tree';
import type { Judgement } from './content-verdict';
import { staleDecisions } from './decisions';
import { type EarlierVersion, earlierVersions, textsOfVersions } from './earlier-versions';
import type { Deviation } from './finding';
import type { LandedTrees } from './judge-trees';
import { type LandedPath, withVersion } from './landed-path';
import type { DecidedText, PathJudge } from './path-judge';
import type { JudgedPath } from './settled-moves';

/** Most versions of one path that are checked for an earlier landing of the same source. */
const LANDINGS_MAX = 8;
/** Most versions of a conflicting whole file that are merged with the other side. */
const WHOLE_VERSIONS_MAX = 32;

export interface StaleSearch {
  store: ObjectStore;
  judge: PathJudge;
  landing: LandedTrees;
  budget: Budget;
  judgeAgain(store: ObjectStore, landing: LandedTrees, budget: Budget): Promise<Judgement>;
}

/** Finds the decisions that only repeat an earlier state of a side. @throws RemoteFailure */
export async function findStale(decided: readonly JudgedPath[], search: StaleSearch): Promise<Deviation[]> {
  // A landed file that equals the source's repeats no earlier state.
  const open = decided.filter(({ path: { theirs, landed } }) => !isSameEntry(theirs, landed));
  const paths = open.map(({ path }) => path);
  const { store, budget, landing } = search;
  const { ours, theirs } = landing.earlier;
  const asked = { base: landing.trees.base, budget };
  const target = await earlierVersions(store, paths, { ...asked, side: 'ours', treeIds: ours });
  const source = await earlierVersions(store, paths, { ...asked, side: 'theirs', treeIds: theirs });
  const deviations: Deviation[][] = [];
  for (const each of open) {
    const versions = { ofTarget: target.get(each.path) ?? [], ofSource: source.get(each.path) ?? [] };
    const found = await staleIn(each, versions, search);
    if (found.length === 0) continue;
    // If this source landed before, was reverted and lands again, its earlier version is not others' work.
    const ofTarget = await withoutOwnLandings(versions.ofTarget, search);
    const isOwn = ofTarget.length < versions.ofTarget.length;
    deviations.push(isOwn ? await staleIn(each, { ...versions, ofTarget }, search) : found);
  }
  return deviations.flat();
}

interface Versions {
  ofTarget: readonly EarlierVersion[];
  ofSource: readonly EarlierVersion[];
}

async function staleIn(
  { path, outcome }: JudgedPath,
  { ofTarget, ofSource }: Versions,
  { store, judge, budget }: StaleSearch,
): Promise<Deviation[]> {
  if (outcome.kind !== 'decided') return [];
  if (outcome.text === undefined) return staleWhole(path, { ofTarget, ofSource }, judge);
  const earlierTarget = await textsOfVersions(store, ofTarget, budget.texts);
  const earlierSource = await textsOfVersions(store, ofSource, budget.texts);
  const places = placesIn(path, outcome.text, { earlierTarget, earlierSource, budget });
  if (places.length > 0 || !(await isMadeOfAny(path, { side: 'theirs', versions: ofSource }, judge))) {
    return places;
  }
  return [{ ...missingIn(path), isUnclear: judge.isPlainlyDecided(path) }];
}

/** The deviation of a conflicting whole file that repeats an earlier version, or its merge with the other side. */
async function staleWhole(
  path: LandedPath,
  { ofTarget, ofSource }: Versions,
  judge: PathJudge,
): Promise<Deviation[]> {
  const isRepeated = [...ofSource, ...ofTarget].some(({ entry }) => isSameEntry(entry, path.landed));
  if (isRepeated || (await isMadeOfAny(path, { side: 'theirs', versions: ofSource }, judge))) {
    return [missingIn(path)];
  }
  if (await isMadeOfAny(path, { side: 'ours', versions: ofTarget }, judge)) {
    return [{ path: path.path, kind: 'undone', in: 'target', reason: 'target_change_undone' }];
  }
  return [];
}

const missingIn = ({ path }: LandedPath): Deviation => ({
  path,
  kind: 'missing',
  reason: 'source_change_missing',
});

async function isMadeOfAny(
  path: LandedPath,
  { side, versions }: { side: 'ours' | 'theirs'; versions: readonly EarlierVersion[] },
  judge: PathJudge,
): Promise<boolean> {
  const present = versions.flatMap(({ entry }) => (entry ? [withVersion(path, side, entry)] : []));
  const asked = present.slice(0, WHOLE_VERSIONS_MAX);
  await judge.loadAll(asked);
  return path.landed !== undefined && asked.some((each) => judge.isPlainlyDecided(each));
}

function placesIn(
  { path }: LandedPath,
  { template, decisions, texts, landed }: DecidedText,
  { budget, ...earlier }: { earlierTarget: string[][]; earlierSource: string[][]; budget: Budget },
): Deviation[] {
  const { steps } = budget.texts;
  const places = staleDecisions(template, { decisions, texts: { ...texts, landed, ...earlier }, steps });
  return places.map((place) => ({ path, ...place }));
}

async function withoutOwnLandings(
  versions: readonly EarlierVersion[],
  { store, landing, budget, judgeAgain }: StaleSearch,
): Promise<EarlierVersion[]> {
  const { base, theirs } = landing.trees;
  const foreign: EarlierVersion[] = versions.slice(LANDINGS_MAX);
  for (const version of versions.slice(0, LANDINGS_MAX)) {
    const trees = { base, ours: version.parentTreeId ?? base, theirs, landed: version.treeId };
    const earlier = { ours: [], theirs: landing.earlier.theirs };
    const { verdict } = await judgeAgain(store, { trees, earlier, olderCommits: [] }, budget);
    if (verdict !== 'EXACT' && verdict !== 'SAME_CHANGE') foreign.push(version);
  }
  return foreign;
}
