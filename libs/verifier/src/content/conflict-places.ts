import type { ContentFinding } from '@plat/contracts/core';
import { hasMarkers } from '../merge/conflict-markers';
import type { MergedLines } from '../merge/merge-lines';
import { type Hole, type MergeTemplate, mergeTemplate, type Range } from '../merge/merge-template';
import type { ThreeTexts } from '../merge/merged-entry';
import { decisionsIn, deletedLines } from '../merge/read-decisions';
import { isSameLines } from '../merge/text';
import type { TextLimits } from '../text-limits';
import { type Deviation, linesIn } from './finding';
import { deviationsOf } from './landed-text';
import { isSameLayout } from './layout';

/** How a text compares with its merge, as in a `Comparison`. */
export interface LandedText {
  deviations: Deviation[];
  refused: Deviation[];
  places: ContentFinding[];
}

const NOTHING: LandedText = { deviations: [], refused: [], places: [] };

/** A landed text and the texts that were merged, as lines. */
interface Landed {
  path: string;
  texts: ThreeTexts;
  landed: readonly string[];
}

/**
 * Compares a landed text with the merge of its sides. All that is outside of git's conflict places has to be as merged.
 *
 * @returns undefined if the texts are too tangled to compare
 */
export function compareText(
  lines: MergedLines,
  { path, texts, landed }: Landed,
  { steps }: TextLimits,
): LandedText | undefined {
  const template = mergeTemplate(lines, texts, steps);
  if (template === undefined) return undefined;
  const sides = { ...texts, deleted: deletedLines(texts.base, texts) };
  const decisions = decisionsIn(template, landed, { sides, steps });
  if (decisions !== undefined) return judgeDecisions(template, decisions, { path, texts, landed });
  const found = deviationsOf(template, { base: texts.base, landed }, steps);
  if (found === undefined) return undefined;
  const deviations = found.map((place): Deviation => ({ path, ...place }));
  if (deviations.length === 0) deviations.push({ path, kind: 'altered', reason: 'extra_content' });
  const isLayout = isSameLayout(template, landed);
  return {
    ...NOTHING,
    deviations: isLayout ? deviations.map((each) => ({ ...each, reason: 'layout' })) : deviations,
  };
}

function judgeDecisions(
  { holes }: MergeTemplate,
  decisions: readonly Range[],
  { path, texts, landed }: Landed,
): LandedText {
  const judged: LandedText = { deviations: [], refused: [], places: [] };
  for (const [index, { hole }] of holes.entries()) {
    const decision = decisions[index] as Range;
    const lines = landed.slice(decision.start, decision.end);
    const lost = lostIn(hole, lines, texts);
    const isOpen = hasMarkers(lines, [texts.base, texts.ours, texts.theirs]);
    if (isOpen) {
      judged.refused.push({ path, kind: 'extra', reason: 'extra_content', ...linesIn('landed', decision) });
    } else if (lost !== undefined) {
      judged.refused.push({ path, ...lost });
    } else {
      judged.places.push({ kind: 'by_hand', path, ...placeOf(decision) });
    }
  }
  return judged;
}

/** The place of a decision in the landed file; without lines if the decision has none. */
const placeOf = (decision: Range): Pick<ContentFinding, 'in' | 'firstLine' | 'lastLine'> =>
  decision.start < decision.end ? linesIn('landed', decision) : {};

/**
 * The deviation of a conflict that has the target's lines alone, or none. @returns undefined for any other decision, or if the
 * source has neither added nor deleted a line there
 */
function lostIn(
  { ours, theirs, base }: Hole,
  lines: readonly string[],
  texts: ThreeTexts,
): Omit<Deviation, 'path'> | undefined {
  const source = texts.theirs.slice(theirs.start, theirs.end);
  const target = texts.ours.slice(ours.start, ours.end);
  const isLeftOut = isSameLines(lines, target) || lines.length === 0;
  const hasNothing = source.length === 0 && base.start === base.end;
  if (!isLeftOut || hasNothing || isSameLines(lines, source)) return undefined;
  return { kind: 'missing', reason: 'source_change_missing', ...linesIn('source', theirs) };
}
