import type { Git } from '../git/git';
import { printableLine } from '../terminal/printable';
import { judgeConflicts, listChangedPaths } from './conflict-places';
import type { MergeOfSides } from './merge-from';
import { type MergedAgain, nameSome, notComputed } from './merged-again';

/** Compares a merge by the recipe with the tree that landed. */
export async function compareMerge(
  git: Git,
  { merged, sides }: MergeOfSides,
  landedTree: string,
): Promise<MergedAgain> {
  switch (merged.outcome) {
    case 'unrelated':
      return notComputed('source and target have no history in common');
    case 'conflict':
      return judgeConflicts(git, { merged, sides, landedTree });
    case 'clean':
      break;
  }
  if (merged.tree === landedTree) return { verdict: 'EXACT', detail: 'the merge is the landed tree' };
  const paths = nameSome(await listChangedPaths(git, merged.tree, landedTree));
  return {
    verdict: 'DIVERGENT',
    detail: printableLine(`the landed tree differs from the merge in ${paths}`),
  };
}
