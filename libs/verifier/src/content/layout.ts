import { findText } from '../merge/find-text';
import type { MergeTemplate } from '../merge/merge-template';

/**
 * Characters that a formatter may move, add or remove without a change of meaning: white space, quotes, commas,
 * semicolons and round brackets.
 */
const LAYOUT = /[\s;,'"`()]+/g;

const withoutLayout = (lines: readonly string[]): string => lines.join('').replace(LAYOUT, '');

/**
 * Whether a text has every undisputed line in order, if layout is ignored. Such a text is not the merge, because white space
 * can have a meaning, as in Python; but its cause is a formatter rather than a lost change.
 */
export function isSameLayout({ lines, holes }: MergeTemplate, landed: readonly string[]): boolean {
  const cuts = [0, ...holes.map(({ before }) => before), lines.length];
  const parts = cuts
    .slice(1)
    .map((end, index) => withoutLayout(lines.slice(cuts[index], end).map(({ text }) => text)));
  const text = withoutLayout(landed);
  const [first = '', ...others] = parts;
  if (others.length === 0) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of others.entries()) {
    at = index === others.length - 1 ? Math.max(at, text.length - part.length) : findText(text, part, at);
    if (at < 0 || !text.startsWith(part, at)) return false;
    at += part.length;
  }
  return at === text.length;
}
