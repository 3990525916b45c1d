import type { ThreeTexts } from '../merge/merged-entry';
import { type Deviation, linesIn } from './finding';

const BEGIN = /^<{7}( |\r?\n?$)/;
const END = /^>{7}( |\r?\n?$)/;

/** The lines of a conflict that landed as git shows it, undecided. @returns undefined if there are none */
export function conflictMarkers(
  landed: readonly string[],
  { base, ours, theirs }: ThreeTexts,
): Omit<Deviation, 'path'> | undefined {
  const start = landed.findIndex((line) => BEGIN.test(line));
  if (start < 0) return undefined;
  const end = landed.findIndex((line, index) => index > start && END.test(line));
  const isKnown = [base, ours, theirs].some((lines) => lines.includes(landed[start] as string));
  if (end < 0 || isKnown) return undefined;
  return { kind: 'extra', reason: 'extra_content', ...linesIn('landed', { start, end: end + 1 }) };
}
