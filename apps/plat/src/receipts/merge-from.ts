import type { Git } from '../git/git';
import { mergeByRecipe, type RecipeMerge } from '../merge/merge-by-recipe';
import { Failure } from '../terminal/failure';

/** Commits whose trees are merged. */
export interface ThreeCommits {
  base: string;
  onto: string;
  source: string;
}

/** A merge by the recipe, with the hashes that its conflict markers name. */
export interface MergeOfSides {
  merged: Exclude<RecipeMerge, { outcome: 'oversized' }>;
  sides: { target: string; source: string };
}

/** Merges two commits by the recipe. @throws Failure SOURCE_OVERSIZED */
export async function mergeSides(
  git: Git,
  { onto, source }: { onto: string; source: string },
): Promise<MergeOfSides> {
  const merged = await mergeByRecipe(git, { onto, source });
  if (merged.outcome !== 'oversized') return { merged, sides: { target: onto, source } };
  throw new Failure('SOURCE_OVERSIZED', 'one side has far more files than the other');
}

/**
 * Merges two trees by the recipe from a base that need not be an ancestor of either: it makes a commit of the base, and
 * one of each side on top of it. git has an option for a base only since 2.40.
 *
 * @throws Failure SOURCE_OVERSIZED
 */
export async function mergeSidesFrom(git: Git, { base, onto, source }: ThreeCommits): Promise<MergeOfSides> {
  const root = await commitAlone(git, base);
  return mergeSides(git, {
    onto: await commitAlone(git, onto, root),
    source: await commitAlone(git, source, root),
  });
}

/** The tree of a merge by the recipe, or undefined if it has conflicts. @throws Failure SOURCE_OVERSIZED */
export const mergeTree = async (
  git: Git,
  revisions: { onto: string; source: string },
): Promise<string | undefined> => treeOf(await mergeSides(git, revisions));

/** The same from a base. @throws Failure SOURCE_OVERSIZED */
export const mergeFrom = async (git: Git, three: ThreeCommits): Promise<string | undefined> =>
  treeOf(await mergeSidesFrom(git, three));

const treeOf = ({ merged }: MergeOfSides): string | undefined =>
  merged.outcome === 'clean' ? merged.tree : undefined;

/** Makes a commit of another one's tree. */
async function commitAlone(git: Git, commit: string, parent?: string): Promise<string> {
  const person = ['-c', 'user.name=plat', '-c', 'user.email=plat@localhost'];
  const parents = parent === undefined ? [] : ['-p', parent];
  return (await git.run([...person, 'commit-tree', `${commit}^{tree}`, ...parents, '-m', 'side'])).trim();
}
