import type { ObjectStore } from '../changes/object-store';
import { mergeLines } from '../merge/merge-lines';
import { type Hole, type MergeTemplate, mergeTemplate, type Range } from '../merge/merge-template';
import { filesToMerge, type MergedEntry, mergeEntry, textsOf, type ThreeTexts } from '../merge/merged-entry';
import { decisionsIn, deletedLines, isPlainDecision } from '../merge/read-decisions';
import { isText, isTooLarge, splitLines } from '../merge/text';
import { isRegularFile, isSameEntry } from '../pack/tree';
import type { TextLimits } from '../text-limits';
import { conflictMarkers } from './conflict-markers';
import type { Deviation } from './finding';
import type { LandedPath } from './landed-path';
import { type AlteredBeside, alteredBesideDecisions, deviationsOf } from './landed-text';
import { differInLayoutAlone, withoutLayout } from './layout';
import { isMovedWithEdit } from './moved-edit';
import { wholeFileDeviation } from './whole-file';

/** The decisions in a text that was merged by hand. */
export interface DecidedText {
  template: MergeTemplate;
  decisions: Range[];
  texts: ThreeTexts;
  landed: string[];
}

/** The result for one path. */
export type PathOutcome =
  /** Equals the merge. */
  | { kind: 'same' }
  /** The sides conflict and a person decided; nothing else differs, except perhaps in the unclear places. */
  | { kind: 'decided'; text?: DecidedText; unclear?: Deviation[] }
  /** Undisputed content differs. */
  | { kind: 'deviates'; deviations: Deviation[] }
  /** Not at the merge's path, but a rename explains it. */
  | { kind: 'moved' }
  /** Equal except for white space and punctuation. */
  | { kind: 'layout'; deviations: Deviation[] }
  | { kind: 'unknown' };

/** The conflicts between the sides, each by a key. */
export type Contradictions = ReadonlySet<string>;

/** Judges the paths of a landing, each by itself. */
export class PathJudge {
  constructor(
    private readonly store: ObjectStore,
    private readonly limits: TextLimits,
  ) {}

  /** Fetches the files whose lines have to be merged. @throws RemoteFailure */
  async loadMerges(paths: readonly LandedPath[]): Promise<void> {
    await this.store.load(paths.flatMap((path) => filesToMerge(path).map(({ id }) => id)));
  }

  /** Fetches the files of paths that differ from their merge. @throws RemoteFailure */
  async loadAll(paths: readonly LandedPath[]): Promise<void> {
    const entries = paths.flatMap(({ base, ours, theirs, landed }) => [base, ours, theirs, landed]);
    await this.store.load(entries.flatMap((entry) => (entry && isRegularFile(entry) ? entry.id : [])));
  }

  /** Whether a path landed as the clean merge. Needs `loadMerges`. */
  isAsMerged(path: LandedPath): boolean {
    const merged = this.merge(path);
    return merged.kind === 'clean' && isSameEntry(merged.entry, path.landed);
  }

  /**
   * Whether a path landed as the merge, with each conflict decided plainly: as both sides together, or as the source.
   * The conflicts in `anyhow` may be decided in any way. Needs `loadAll`.
   */
  isPlainlyDecided(path: LandedPath, anyhow: Contradictions = NO_CONTRADICTIONS): boolean {
    const outcome = this.judge(path);
    if (outcome.kind !== 'decided') return outcome.kind === 'same';
    const { ours, theirs, landed } = path;
    if (outcome.text === undefined) {
      return isSameEntry(theirs, landed) || anyhow.has(keyOf(ours?.id, theirs?.id));
    }
    return isPlainText(outcome.text, { anyhow, areSharedOnce: true });
  }

  /** The conflicts of a path. Needs `loadAll`. */
  contradictionsIn(path: LandedPath): Contradictions {
    const outcome = this.judge(path);
    if (outcome.kind !== 'decided') return NO_CONTRADICTIONS;
    const { text } = outcome;
    if (text === undefined) return new Set([keyOf(path.ours?.id, path.theirs?.id)]);
    const sides = text.template.holes.map(({ hole }) => sidesOf(hole, text.texts));
    return new Set(sides.map(({ ours, theirs }) => keyOf(ours, theirs)));
  }

  /**
   * Whether a path landed as one side moved it and the other one edited it: as the merge, or, if that is a conflict,
   * with the whole edit and nothing else. Needs `loadAll`.
   */
  isMovedWithEdit(path: LandedPath, mover: 'ours' | 'theirs'): boolean {
    const outcome = this.judge(path);
    if (outcome.kind !== 'decided') return outcome.kind === 'same';
    const editor = mover === 'ours' ? 'theirs' : 'ours';
    if (outcome.text === undefined) return isSameEntry(path.landed, path[editor]);
    const { texts, landed } = outcome.text;
    const moved = { base: texts.base, moved: texts[mover], edited: texts[editor], landed };
    return isMovedWithEdit(moved, editor === 'theirs', this.limits.steps);
  }

  merge(path: LandedPath): MergedEntry {
    if (path.isContradiction) return { kind: 'conflict' };
    return mergeEntry(path, this.read, this.limits);
  }

  /** Needs `loadAll`. */
  judge(path: LandedPath): PathOutcome {
    const merged = this.merge(path);
    if (merged.kind === 'unknown') return merged;
    if (merged.kind === 'clean' && isSameEntry(merged.entry, path.landed)) return { kind: 'same' };
    if (merged.kind === 'conflict' && !merged.lines) {
      return this.judgeChoice(path, merged.mode ?? (path.ours ?? path.theirs)?.mode);
    }
    const { landed } = path;
    const expected = merged.kind === 'clean' ? merged.entry : path.ours;
    if (!landed || !expected || !isRegularFile(landed) || !isRegularFile(expected)) {
      return deviates([wholeFileDeviation(path)]);
    }
    const mode = merged.kind === 'clean' ? expected.mode : merged.mode;
    const modes = mode === landed.mode ? [] : [modeDeviation(path)];
    if (landed.id === expected.id && merged.kind === 'clean') return deviates(modes);
    const outcome = this.judgeText(path, modes);
    // The path differs from the clean merge, even if the place cannot be determined.
    return outcome.kind === 'unknown' && merged.kind === 'clean'
      ? deviates([wholeFileDeviation(path)])
      : outcome;
  }

  /**
   * The deviations of a file that one side edited and the other one deleted, if the landing keeps it. If the target
   * deleted it, it has to be as the source edited it. If the source deleted it, that deletion is missing. Needs
   * `loadAll`.
   */
  deviationsOfKept(path: LandedPath): Deviation[] {
    const { base, ours, theirs, landed } = path;
    const isDeletion = base !== undefined && !ours !== !theirs && path.isContradiction !== true;
    if (!isDeletion || landed === undefined || isSameEntry(landed, theirs)) return [];
    if (theirs === undefined) return [{ path: path.path, kind: 'missing', reason: 'source_change_missing' }];
    const outcome = this.judge({ ...path, ours: base });
    return outcome.kind === 'deviates' || outcome.kind === 'layout' ? outcome.deviations : [];
  }

  /**
   * Judges a conflict of whole files, in which a person has to choose one file. The choice of the target's file leaves
   * out the source's change.
   */
  private judgeChoice(path: LandedPath, mode: string | undefined): PathOutcome {
    const { base, ours, theirs, landed } = path;
    const isFile = landed !== undefined && isRegularFile(landed) && !isSameEntry(landed, theirs);
    if (isFile && isFileMode(mode) && mode !== landed.mode) return deviates([modeDeviation(path)]);
    if (isSameEntry(landed, theirs)) return { kind: 'decided' };
    const isLeftOut = isSameEntry(landed, ours) || (base !== undefined && isSameEntry(landed, base));
    if (!isLeftOut) return { kind: 'decided' };
    return deviates([{ path: path.path, kind: 'missing', reason: 'source_change_missing' }]);
  }

  private judgeText(path: LandedPath, modes: Deviation[]): PathOutcome {
    const files = [path.base, path.ours, path.theirs, path.landed];
    const contents = files.map((entry) => (entry && isRegularFile(entry) ? this.read(entry.id) : EMPTY));
    if (contents.some((content) => isTooLarge(content, this.limits))) return { kind: 'unknown' };
    if (!contents.every((content) => isText(content, this.limits))) {
      return deviates([wholeFileDeviation(path)]);
    }
    const texts = this.textsFor(path, contents);
    const lines = mergeLines(texts.base, texts, this.limits.steps);
    const template = lines && mergeTemplate(lines, texts, this.limits.steps);
    if (template === undefined) return { kind: 'unknown' };
    const landed = splitLines(contents[3] as Buffer);
    const sides = { ...texts, deleted: deletedLines(texts.base, texts) };
    const { steps } = this.limits;
    const decisions = decisionsIn(template, landed, { sides, steps });
    if (decisions !== undefined) {
      const markers = conflictMarkers(landed, texts);
      const text = { template, decisions, texts, landed };
      const { places, isUnclear } = markers ? { places: [markers], isUnclear: false } : this.alteredIn(text);
      const altered = places.map((place): Deviation => ({ path: path.path, ...place }));
      const deviations = isUnclear ? modes : [...altered, ...modes];
      if (deviations.length > 0) return deviates(deviations);
      return isUnclear ? { kind: 'decided', text, unclear: altered } : { kind: 'decided', text };
    }
    const places = deviationsOf(template, { base: texts.base, landed }, steps);
    if (places === undefined) return { kind: 'unknown' };
    const deviations = places.map((place): Deviation => ({ path: path.path, ...place }));
    if (deviations.length === 0) {
      deviations.push({ path: path.path, kind: 'altered', reason: 'extra_content' });
    }
    if (modes.length === 0 && isSameLayout(template, landed)) return { kind: 'layout', deviations };
    return deviates([...deviations, ...modes]);
  }

  /** The undisputed lines that are altered beside plain decisions; none if the given decisions are plain. */
  private alteredIn(decided: DecidedText): AlteredBeside {
    if (isPlainText(decided)) return { places: [], isUnclear: false };
    const { template, texts, landed } = decided;
    const deleted = deletedLines(texts.base, texts);
    return alteredBesideDecisions(template, { ...texts, deleted, landed }, this.limits.steps);
  }

  /** A side without the file counts as the base's version, so that only the other side's change remains. */
  private textsFor({ base, ours, theirs }: LandedPath, contents: readonly Buffer[]): ThreeTexts {
    const texts = textsOf(contents);
    if (base === undefined) return texts;
    return {
      ...texts,
      ours: ours ? texts.ours : texts.base,
      theirs: theirs ? texts.theirs : texts.base,
    };
  }

  private readonly read = (id: string): Buffer => this.store.read(id, 'blob');
}

const EMPTY = Buffer.alloc(0);
const NO_CONTRADICTIONS: Contradictions = new Set();

const keyOf = (ours: unknown, theirs: unknown): string => JSON.stringify([ours, theirs]);

const sidesOf = (
  { ours, theirs }: Hole,
  texts: Pick<ThreeTexts, 'ours' | 'theirs'>,
): Pick<ThreeTexts, 'ours' | 'theirs'> => ({
  ours: texts.ours.slice(ours.start, ours.end),
  theirs: texts.theirs.slice(theirs.start, theirs.end),
});

/** Whether each conflict was decided plainly, except those in `anyhow`, which may be decided in any way. */
function isPlainText(
  { template, decisions, texts, landed }: DecidedText,
  {
    anyhow = NO_CONTRADICTIONS,
    areSharedOnce = false,
  }: { anyhow?: Contradictions; areSharedOnce?: boolean } = {},
): boolean {
  const deleted = deletedLines(texts.base, texts);
  return template.holes.every(({ hole }, index) => {
    const sides = sidesOf(hole, texts);
    const { start, end } = decisions[index] as Range;
    return (
      anyhow.has(keyOf(sides.ours, sides.theirs)) ||
      isPlainDecision(landed.slice(start, end), { ...sides, deleted, areSharedOnce })
    );
  });
}

const isFileMode = (mode: string | undefined): boolean => mode === '100644' || mode === '100755';

const deviates = (deviations: Deviation[]): PathOutcome => ({ kind: 'deviates', deviations });

function modeDeviation({ path, base, ours, theirs }: LandedPath): Deviation {
  if (theirs?.mode !== base?.mode) {
    return { path, kind: 'missing', in: 'source', reason: 'source_change_missing' };
  }
  if (ours?.mode !== base?.mode) {
    return { path, kind: 'undone', in: 'target', reason: 'target_change_undone' };
  }
  return { path, kind: 'altered', reason: 'extra_content' };
}

/** Whether the text has every undisputed line in order, if layout is ignored. */
function isSameLayout({ lines, holes }: MergeTemplate, landed: readonly string[]): boolean {
  if (holes.length === 0) {
    return differInLayoutAlone(
      lines.map(({ text }) => text),
      landed,
    );
  }
  const cuts = [0, ...holes.map(({ before }) => before), lines.length];
  const parts = cuts
    .slice(1)
    .map((end, index) => withoutLayout(lines.slice(cuts[index], end).map(({ text }) => text)));
  const text = withoutLayout(landed);
  const [first = '', ...others] = parts;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of others.entries()) {
    at = index === others.length - 1 ? text.length - part.length : text.indexOf(part, at);
    if (at < 0 || !text.startsWith(part, at)) return false;
    at += part.length;
  }
  return true;
}
