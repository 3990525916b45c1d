import type { Git } from '../gate/git';
import { mergeByRecipe } from '../gate/merge-by-recipe';
import { Failure } from '../terminal/failure';

/** Commits whose trees are merged. */
export interface ThreeCommits {
  base: string;
  onto: string;
  source: string;
}

/**
 * Merges two trees by the recipe from a base that need not be an ancestor of either: it makes a commit of the base, and
 * one of each side on top of it. git has an option for a base only since 2.40.
 *
 * @returns the merged tree, or undefined if they conflict
 * @throws Failure SOURCE_OVERSIZED
 */
export async function mergeFrom(git: Git, { base, onto, source }: ThreeCommits): Promise<string | undefined> {
  const root = await commitAlone(git, base);
  return mergeTree(git, {
    onto: await commitAlone(git, onto, root),
    source: await commitAlone(git, source, root),
  });
}

/** The tree of a merge by the recipe, or undefined if it has conflicts. @throws Failure SOURCE_OVERSIZED */
export async function mergeTree(
  git: Git,
  revisions: { onto: string; source: string },
): Promise<string | undefined> {
  const merged = await mergeByRecipe(git, revisions);
  if (merged.outcome === 'oversized') throw oversized();
  return merged.outcome === 'clean' ? merged.tree : undefined;
}

export const oversized = (): Failure =>
  new Failure('SOURCE_OVERSIZED', 'one side has far more files than the other');

export async function readTree(git: Git, commit: string): Promise<string> {
  return (await git.run(['rev-parse', `${commit}^{tree}`])).trim();
}

/** Makes a commit of another one's tree. Of the same trees it is always the same one. */
async function commitAlone(git: Git, commit: string, parent?: string): Promise<string> {
  const person = ['-c', 'user.name=plat', '-c', 'user.email=plat@localhost'];
  const parents = parent === undefined ? [] : ['-p', parent];
  return (await git.run([...person, 'commit-tree', `${commit}^{tree}`, ...parents, '-m', 'side'])).trim();
}
