import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { firstCall, functionAround } from './named-functions';
import { blocksOf, importedBy, OPERATORS_PAGES, RUN_BY } from './page-blocks';

/** Blocks of one chapter that one spec runs, by their keys. */
export interface ChapterRun {
  spec: string;
  chapter: string;
  /** In the page's order. */
  printed: string[];
  /** In the order in which the spec first names them. */
  run: string[];
}

/** The chapters of a page, each with its blocks: its text from one heading of the second level to the next. */
function chaptersOf(page: string): { chapter: string; blocks: string[] }[] {
  const text = readFileSync(join(workspaceRoot(), page), 'utf8');
  return text.split(/^(?=## )/m).map((part) => ({
    chapter: `${page} ${part.split('\n', 1)[0]!}`,
    blocks: blocksOf(page, part),
  }));
}

/**
 * The order in which each spec follows a chapter. Jest runs the cases of a file in the order of its text, so the place
 * where a spec first names a block is its turn. If a function names it, its turn is where the spec first calls that.
 */
export function chapterRuns(): ChapterRun[] {
  return OPERATORS_PAGES.flatMap(chaptersOf).flatMap(({ chapter, blocks }) =>
    [...new Set(blocks.map((key) => RUN_BY[key]!))].map((spec) => {
      const printed = blocks.filter((key) => RUN_BY[key] === spec);
      const turns = new Map(printed.map((key) => [key, turnOf(key, spec)]));
      const run = [...printed].sort((one, other) => compareTurns(turns.get(one)!, turns.get(other)!));
      return { spec, chapter, printed, run };
    }),
  );
}

/**
 * The place of a block in a spec, after those of the calls that lead to it.
 *
 * @throws Error if neither the spec nor a function of a file that it imports names the block
 */
function turnOf(key: string, spec: string): number[] {
  const text = readFileSync(join(workspaceRoot(), spec), 'utf8');
  const own = namedAt(key, text);
  if (own >= 0) return turnAt(own, text);
  for (const file of importedBy(spec, text)) {
    const imported = readFileSync(join(workspaceRoot(), file), 'utf8');
    const place = namedAt(key, imported);
    const caller = place < 0 ? undefined : functionAround(place, imported);
    const called = caller === undefined ? undefined : firstCall(caller.name, text);
    if (called !== undefined) return turnAt(called, text);
  }
  throw new Error(
    `${spec} follows ${key} at no place: it has to name the block, or to call a function that does.`,
  );
}

/** @returns -1 if the text does not name the block */
function namedAt(key: string, text: string): number {
  const [language, name] = key.split(' ').slice(1);
  // Two blocks may differ in their languages alone.
  const places = [`'${language}', '${name}'`, ...(language === 'sh' ? [`follow('${name}'`] : [])]
    .map((call) => text.indexOf(call))
    .filter((place) => place >= 0);
  return places.length > 0 ? Math.min(...places) : text.indexOf(`'${name}'`);
}

function turnAt(place: number, text: string): number[] {
  const caller = functionAround(place, text);
  const called = caller === undefined ? undefined : firstCall(caller.name, text, caller);
  return called === undefined ? [place] : [...turnAt(called, text), place];
}

function compareTurns(one: readonly number[], other: readonly number[]): number {
  const step = one.findIndex((place, index) => place !== other[index]);
  return step < 0 ? one.length - other.length : one[step]! - (other[step] ?? -1);
}
