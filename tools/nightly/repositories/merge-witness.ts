import { MERGE_RECIPE } from '@plat/contracts/core';
import { git } from '@plat/testing';
import type { ReplayedPull } from './replay-repository';

/** The git command's results for a landing, from its own merges alone. */
export interface Witnessed {
  /** Merging the source onto the landed commit's parent is clean, and yields the landed tree. */
  isMerge: boolean;
  /** Merging the source into the landed commit is clean and changes nothing. */
  isCarried: boolean;
  /** The same for the landed commit's parent: the change was there before. */
  wasThere: boolean;
}

/** Makes all merges of one repository in one process. */
export async function witnessMerges(directory: string, pulls: readonly ReplayedPull[]): Promise<Witnessed[]> {
  const pairs = pulls.flatMap(({ parent, judged, source }) => [
    [parent, source],
    [judged, source],
  ]);
  const merged = await mergeAll(directory, pairs as [string, string][]);
  const trees = await treesOf(
    directory,
    pulls.flatMap(({ parent, judged }) => [parent, judged]),
  );
  return pulls.map((_, index) => {
    const [onParent, onLanded] = merged.slice(2 * index, 2 * index + 2);
    const [parentTree, landedTree] = trees.slice(2 * index, 2 * index + 2);
    return {
      isMerge: onParent === landedTree,
      isCarried: onLanded === landedTree,
      wasThere: onParent === parentTree,
    };
  });
}

/** The settings of the recipe that differ from git's defaults. */
const RECIPE_SETTINGS = ['-c', `merge.directoryRenames=${MERGE_RECIPE.directoryRenames}`];

/** The tree of each clean merge; undefined for a conflict and for unrelated histories. */
export async function mergeAll(
  directory: string,
  pairs: readonly [string, string][],
): Promise<(string | undefined)[]> {
  const args = ['merge-tree', '--stdin', '--no-messages', '--name-only', '--allow-unrelated-histories'];
  const input = pairs.map((pair) => `${pair.join(' ')}\n`).join('');
  const output = await git(directory, [...RECIPE_SETTINGS, ...args], { input });
  const fields = output.split('\0');
  const merges: (string | undefined)[] = [];
  for (let next = 0; next + 1 < fields.length; next += 1) {
    merges.push(fields[next] === '1' ? fields[next + 1] : undefined);
    next = fields.indexOf('', next);
  }
  return merges;
}

export async function treesOf(directory: string, commits: readonly string[]): Promise<string[]> {
  const input = commits.map((id) => `${id}^{tree}\n`).join('');
  return (await git(directory, ['cat-file', '--batch-check=%(objectname)'], { input })).split('\n');
}
