import { type Git, isOutputTooLarge } from '../git/git';
import { isTreeFault } from './tree-fault';

/** Most files that a source may have beyond those of the commit onto which it is merged. */
const MORE_MAX = 500_000;

/**
 * Whether a source has far more files than the commit onto which it is merged, or folders that are too deep for git. Few small
 * trees can name each other so often that they have a billion files, which git would compare in memory for minutes.
 *
 * @param revisions hashes of two commits
 * @throws Failure GIT_FAILED
 */
export async function isOversized(
  git: Git,
  { onto, source }: { onto: string; source: string },
): Promise<boolean> {
  const files = await countFiles(git, source);
  return files > MORE_MAX && files > (await countFiles(git, onto)) + MORE_MAX;
}

/** The files of a commit; Infinity if git lists more than can be read. */
export async function countFiles(git: Git, commit: string): Promise<number> {
  const listed = await listFiles(git, commit);
  if (listed === undefined) return Infinity;
  let files = 0;
  for (let at = listed.indexOf(0); at >= 0; at = listed.indexOf(0, at + 1)) files += 1;
  return files;
}

/** Undefined if git lists more than can be read. It writes this listing while it reads the trees, and holds none of it. */
export async function listFiles(git: Git, commit: string): Promise<Buffer | undefined> {
  try {
    return await git.bytes(['ls-tree', '-r', '-z', '--full-tree', '--name-only', commit]);
  } catch (error) {
    if (isOutputTooLarge(error) || isTreeFault(error)) return undefined;
    throw error;
  }
}
