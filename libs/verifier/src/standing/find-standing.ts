import type { Budget } from '../budget';
import { type FileChange, filesOf, readChangeSets } from '../objects/change-set';
import { entriesAt } from '../objects/entries-at';
import type { ObjectStore } from '../objects/object-store';
import { textOfPath } from '../pack/path-text';
import { isSameEntry, type TreeEntry } from '../pack/tree';
import type { RemoteRepository } from '../protocol/remote-repository';
import { findLostLines, type LostLines } from './lost-lines';
import { MovedLines } from './moved-lines';
import { type FileVersion, PathHistory } from './path-history';
import type { LandingStanding, LostPlace, StandingAnswer, StandingQuestion } from './standing';
import { type PlacedLanding, readChain } from './target-chain';
import { Texts } from './texts';

const PLACES_MAX = 1_000;
const PATH_LENGTH_MAX = 300;

/** A path that a landing changed, and that is not the same in the target any more. */
interface ChangedPath {
  landing: PlacedLanding;
  path: string;
  old: TreeEntry | undefined;
  made: TreeEntry | undefined;
}

interface Reading {
  store: ObjectStore;
  budget: Budget;
  texts: Texts;
  history: PathHistory;
  moved: MovedLines;
}

/**
 * Determines which parts of landings the target has lost since, and with which commit.
 *
 * @throws RemoteFailure
 */
export async function findStanding(
  question: StandingQuestion,
  { remote, budget }: { remote: RemoteRepository; budget: Budget },
): Promise<StandingAnswer> {
  const { tipTreeId, placed, store } = await readChain(question, remote);
  const [texts, history] = [new Texts(store, budget), new PathHistory(store, budget)];
  const reading = { store, budget, texts, history, moved: new MovedLines({ store, texts, history }) };
  const changed = await findChangedPaths(placed, { tipTreeId, store, budget });
  await readPaths(changed.flat(), history);
  const landings: LandingStanding[] = [];
  for (const [index, { commitId }] of question.landings.entries()) {
    const landing = placed[index];
    if (landing === undefined) {
      landings.push({ commitId, lost: [], unknown: 'landed_long_ago' });
      continue;
    }
    const broughtBy = landing.broughtBy === commitId ? undefined : landing.broughtBy;
    landings.push({ commitId, broughtBy, ...(await findLost(changed[index] ?? [], reading)) });
  }
  return { landings };
}

/** The paths of each landing that differ in the newest tree. */
async function findChangedPaths(
  placed: readonly (PlacedLanding | undefined)[],
  { tipTreeId, store, budget }: { tipTreeId: string; store: ObjectStore; budget: Budget },
): Promise<ChangedPath[][]> {
  const trees = placed.map((landing) => ({
    baseTreeId: landing?.before ?? tipTreeId,
    sourceTreeId: landing?.treeId ?? tipTreeId,
  }));
  const changes = await readChangeSets(store, trees, budget.caps);
  const files = changes.map((change): FileChange[] => (change === undefined ? [] : filesOf(change)));
  const paths = [...new Set(files.flat().map(({ path }) => path))];
  const newest = (await entriesAt(store, [tipTreeId], paths)).get(tipTreeId);
  return files.map((of, index) =>
    of.flatMap(({ path, base: old, source: made }): ChangedPath[] => {
      const landing = placed[index];
      return landing === undefined || isSameEntry(newest?.get(path), made)
        ? []
        : [{ landing, path, old, made }];
    }),
  );
}

/** Reads the paths together: one request for each level of folders. */
async function readPaths(changed: readonly ChangedPath[], history: PathHistory): Promise<void> {
  const longest = changed.reduce<PlacedLanding['since']>(
    (since, { landing }) => (landing.since.length > since.length ? landing.since : since),
    [],
  );
  const paths = [...new Set(changed.map(({ path }) => path))];
  if (paths.length > 0) await history.read(paths, longest);
}

async function findLost(
  changed: readonly ChangedPath[],
  reading: Reading,
): Promise<Pick<LandingStanding, 'lost' | 'lostLeftOut' | 'unknown'>> {
  const found: (LostPlace[] | undefined)[] = [];
  for (const path of changed) found.push(await findLostPlaces(path, reading));
  const lost = found.flatMap((places) => places ?? []);
  return {
    lost: lost.slice(0, PLACES_MAX),
    lostLeftOut: lost.length > PLACES_MAX ? lost.length - PLACES_MAX : undefined,
    unknown: found.includes(undefined) ? 'text_not_comparable' : undefined,
  };
}

/** @returns undefined if the versions are too large or too tangled to compare */
async function findLostPlaces(changed: ChangedPath, reading: Reading): Promise<LostPlace[] | undefined> {
  const { landing, path, old, made } = changed;
  const { texts, history } = reading;
  const later = await history.follow({ path, treeId: landing.treeId }, landing.since);
  const versions: FileVersion[] = [{ commitId: landing.broughtBy, path, entry: made }, ...later];
  const newest = versions.at(-1)?.entry;
  if (isSameEntry(newest, made)) return [];
  await texts.load([old, ...versions.map(({ entry }) => entry)]);
  const whole = (hasIt: (entry: TreeEntry | undefined) => boolean, isRestored: boolean) =>
    lostWhole(versions, hasIt, isRestored);
  const before = texts.read(old);
  const read = versions.map(({ entry }) => texts.read(entry));
  if (before === undefined || read[0] === undefined || read.at(-1) === undefined) {
    const isBack = isSameEntry(newest, old);
    if (!isBack && [old, made, newest].some((entry) => texts.isTooLarge(entry))) return undefined;
    return whole((entry) => isSameEntry(entry, made), isBack);
  }
  const lines = findLostLines({ old: before, versions: read.map((text) => text ?? NO_TEXT) }, texts);
  if (lines === undefined) return undefined;
  const places: LostPlace[] = [];
  for (const each of lines) {
    if (await isMoved(each, changed, reading)) continue;
    places.push(lostLines(each, versions, isSameEntry(newest, old)));
  }
  const isModeLost = made && newest && made.mode !== newest.mode && old?.mode !== made.mode;
  if (isModeLost) places.push(...whole((entry) => entry?.mode === made.mode, newest.mode === old?.mode));
  return places;
}

const NO_TEXT = { lines: [], counts: new Map<string, number>() };

function lostWhole(
  versions: readonly FileVersion[],
  hasIt: (entry: TreeEntry | undefined) => boolean,
  isRestored: boolean,
): LostPlace[] {
  const last = versions.findLastIndex(({ entry }) => hasIt(entry));
  const [at, by] = [versions[last], versions[last + 1]];
  if (at === undefined || by === undefined) return [];
  return [
    {
      path: shown(versions[0]?.path ?? at.path),
      isRestored,
      isReplacement: true,
      lostBy: by.commitId,
      lostAt: { path: shown(at.path) },
    },
  ];
}

function lostLines(
  { in: file, start, end, isRestored, isReplacement, lostIn, lostAt }: LostLines,
  versions: readonly FileVersion[],
  isBack: boolean,
): LostPlace {
  const by = versions[lostIn] as FileVersion;
  const at = versions[lostIn - 1] as FileVersion;
  const path = file === 'landed' ? versions[0]?.path : versions.at(-1)?.path;
  return {
    path: shown(path ?? at.path),
    ...{ in: file, firstLine: start + 1, lastLine: end },
    isRestored: isRestored || isBack,
    isReplacement,
    lostBy: by.commitId,
    lostAt: {
      path: shown(at.path),
      firstLine: lostAt && lostAt.start + 1,
      lastLine: lostAt?.end,
    },
  };
}

/** Whether the commit that took lines from a file put them into others, where they still are. */
function isMoved(
  { in: file, marks, lostIn }: LostLines,
  { landing: { treeId, since } }: ChangedPath,
  { moved }: Reading,
): Promise<boolean> {
  if (file === 'tip') return Promise.resolve(false);
  const before = since[lostIn - 2]?.treeId ?? treeId;
  return moved.areThere(marks, { before, since: since.slice(lostIn - 1) });
}

const shown = (path: string): string => textOfPath(path).slice(0, PATH_LENGTH_MAX);
