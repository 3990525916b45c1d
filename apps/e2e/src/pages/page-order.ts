import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { blocksOf, OPERATORS_PAGES, RUN_BY } from './page-blocks';

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
 * where a spec first names a block is its turn. A block that only a file names which the spec imports belongs to its set-up.
 */
export function chapterRuns(): ChapterRun[] {
  return OPERATORS_PAGES.flatMap(chaptersOf).flatMap(({ chapter, blocks }) =>
    [...new Set(blocks.map((key) => RUN_BY[key]!))].map((spec) => {
      const text = readFileSync(join(workspaceRoot(), spec), 'utf8');
      const printed = blocks.filter((key) => RUN_BY[key] === spec);
      const run = [...printed].sort((one, other) => turnOf(one, text) - turnOf(other, text));
      return { spec, chapter, printed, run };
    }),
  );
}

/** @returns -1 if the spec does not name the block itself */
function turnOf(key: string, text: string): number {
  const [language, name] = key.split(' ').slice(1);
  // Two blocks may differ in their languages alone.
  const places = [`'${language}', '${name}'`, ...(language === 'sh' ? [`follow('${name}'`] : [])]
    .map((call) => text.indexOf(call))
    .filter((place) => place >= 0);
  return places.length > 0 ? Math.min(...places) : text.indexOf(`'${name}'`);
}
