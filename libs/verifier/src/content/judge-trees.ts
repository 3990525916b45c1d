import type { ContentFinding } from '@plat/contracts/core';
import { hasMarkers } from '../merge/conflict-markers';
import { KnownChanges } from '../merge/known-changes';
import { compareWithMerge, type DifferingPath, type Reading } from '../merge/merge-trees';
import { textsOf } from '../merge/merged-entry';
import type { Choice, PathVersions } from '../merge/path-versions';
import { isText, isTooLarge, splitLines } from '../merge/text';
import type { Versions } from '../merge/versions';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import { compareText } from './conflict-places';
import { byHand, divergent, type Judgement, unknown } from './content-verdict';
import type { Deviation } from './finding';
import { judgeWholeFiles, modeDeviation, wholeFileDeviation } from './whole-file';

/** How a landed tree compares with a merge: for one path, for the paths of one choice, or for all. */
export interface Comparison {
  /** The differences outside of the conflict places. */
  deviations: Deviation[];
  /** The conflict places that were not decided: they have the target's side alone, nothing, or markers. */
  refused: Deviation[];
  /** The conflict places that a person decided. */
  places: ContentFinding[];
  /** Some path cannot be compared. */
  isUnknown: boolean;
}

const NOTHING: Comparison = { deviations: [], refused: [], places: [], isUnknown: false };

/** Paths whose files are fetched together. */
const BATCH = 200;

/** The verdict on a landed tree alone. @throws RemoteFailure */
export async function judgeTrees(trees: Required<Versions<string>>, reading: Reading): Promise<Judgement> {
  return verdictOf(await compareTrees(trees, reading));
}

export function verdictOf({ deviations, refused, isUnknown, places }: Comparison): Judgement {
  if (deviations.length + refused.length > 0) return divergent([...deviations, ...refused]);
  if (isUnknown) return unknown('too_tangled');
  return places.length > 0 ? byHand('conflict_resolved', places) : { verdict: 'EXACT' };
}

/**
 * Compares a landed tree with the recipe's merge of a source and the tree before.
 *
 * @param trees ids: the merge base, the tree before, the source, the landed one
 * @throws RemoteFailure
 */
export async function compareTrees(
  trees: Required<Versions<string>>,
  { store, budget }: Reading,
): Promise<Comparison> {
  const differing = await compareWithMerge(trees, { store, budget });
  if (differing === undefined) return { ...NOTHING, isUnknown: true };
  const compared = await judgeChoices(differing, { store, budget });
  const single = differing.filter(({ path }) => path.choice === undefined);
  for (let start = 0; start < single.length; start += BATCH) {
    const batch = single.slice(start, start + BATCH);
    await store.load(batch.flatMap(({ path }) => filesOf(path)));
    compared.push(...batch.map((each) => judgePath(each, { store, budget })));
  }
  return {
    deviations: compared.flatMap(({ deviations }) => deviations),
    refused: compared.flatMap(({ refused }) => refused),
    places: compared.flatMap(({ places }) => places),
    isUnknown: compared.some(({ isUnknown }) => isUnknown),
  };
}

/** Judges the conflicts of renames, each with all its paths together. */
async function judgeChoices(differing: readonly DifferingPath[], reading: Reading): Promise<Comparison[]> {
  const byChoice = new Map<Choice, PathVersions[]>();
  for (const { path } of differing) {
    if (path.choice) byChoice.set(path.choice, [...(byChoice.get(path.choice) ?? []), path]);
  }
  const choices = [...byChoice.values()];
  await reading.store.load(choices.flat().flatMap(filesOf));
  return choices.map((paths) => {
    const open = paths.filter((path) => isLeftOpen(path, paths, reading));
    const refused = open.map(({ path }): Deviation => ({ path, kind: 'extra', reason: 'extra_content' }));
    return { ...NOTHING, ...(refused.length > 0 ? { refused } : judgeWholeFiles(paths)) };
  });
}

/** Whether a file of a choice landed with git's markers in it. */
function isLeftOpen(
  { landed }: PathVersions,
  paths: readonly PathVersions[],
  { store, budget: { texts } }: Reading,
): boolean {
  const linesOf = (entry: TreeEntry | undefined): string[] => {
    if (entry === undefined || !isRegularFile(entry)) return [];
    const content = store.read(entry.id, 'blob');
    return isText(content, texts) ? splitLines(content) : [];
  };
  const merged = paths.flatMap(({ base, ours, theirs }) => [base, ours, theirs].map(linesOf));
  return hasMarkers(linesOf(landed), merged);
}

function filesOf({ base, ours, theirs, landed }: PathVersions): string[] {
  return [base, ours, theirs, landed].flatMap((entry) => (entry && isRegularFile(entry) ? entry.id : []));
}

function judgePath({ path, merged }: DifferingPath, { store, budget }: Reading): Comparison {
  const { landed } = path;
  if (merged.kind === 'unknown') return { ...NOTHING, isUnknown: true };
  if (merged.kind === 'conflict' && merged.isText !== true) return judgeChoice(path, merged.mode);
  const expected = merged.kind === 'clean' ? merged.entry : path.ours;
  const isFile = landed !== undefined && isRegularFile(landed);
  if (!isFile || !expected || !isRegularFile(expected)) {
    return { ...NOTHING, deviations: [wholeFileDeviation(path)] };
  }
  const modes = modesIn(path, landed, merged.kind === 'clean' ? expected.mode : merged.mode);
  if (merged.kind === 'clean' && landed.id === expected.id) return { ...NOTHING, deviations: modes };
  const text = judgeText(path, { store, budget });
  // The path differs from a clean merge, even if the place cannot be determined.
  if (text.isUnknown && merged.kind === 'clean') {
    return { ...NOTHING, deviations: [wholeFileDeviation(path)] };
  }
  return { ...text, deviations: [...text.deviations, ...modes] };
}

function judgeChoice(path: PathVersions, mode: string | undefined): Comparison {
  const { theirs, landed } = path;
  const isFile = landed !== undefined && isRegularFile(landed) && !isSameEntry(landed, theirs);
  const deviations = isFile && mode !== undefined ? modesIn(path, landed, mode) : [];
  return { ...NOTHING, ...(deviations.length > 0 ? { deviations } : judgeWholeFiles([path])) };
}

/** The deviation of a mode. If both sides added the file, git leaves the choice between their modes to a person. */
function modesIn(path: PathVersions, landed: TreeEntry, merged: string | undefined): Deviation[] {
  const { base, ours, theirs } = path;
  const allowed = base === undefined ? [merged, ours?.mode, theirs?.mode] : [merged];
  return allowed.includes(landed.mode) ? [] : [modeDeviation(path)];
}

function judgeText(path: PathVersions, { store, budget }: Reading): Comparison {
  // A side without the file counts as the base's version, so that only the other side's change remains.
  const versions = [path.base, path.ours ?? path.base, path.theirs ?? path.base, path.landed];
  const entries = versions.map((entry) => (entry && isRegularFile(entry) ? entry : undefined));
  const contents = entries.map((entry) => (entry ? store.read(entry.id, 'blob') : Buffer.alloc(0)));
  if (contents.some((content) => isTooLarge(content, budget.texts))) return { ...NOTHING, isUnknown: true };
  if (!contents.every((content) => isText(content, budget.texts))) {
    return { ...NOTHING, deviations: [wholeFileDeviation(path)] };
  }
  const texts = textsOf(contents);
  const [base, ours, theirs] = entries.map((entry) => entry?.id);
  const lines = KnownChanges.of(budget).mergeLines({ base, ours, theirs }, texts);
  const landed = splitLines(contents[3] as Buffer);
  const found = lines && compareText(lines, { path: path.path, texts, landed }, budget.texts);
  return found === undefined ? { ...NOTHING, isUnknown: true } : { ...NOTHING, ...found };
}
