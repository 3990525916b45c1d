import { isPartOf } from '../checkout/kept-changes';
import type { Git } from '../git/git';

/** The author of commits that only hold files and are never merged. */
const PERSON = ['-c', 'user.name=plat', '-c', 'user.email=plat@localhost'];

/**
 * Keeps the changes in the tracked files of a checkout, staged or not, as an entry of git stash. Files in conflict are
 * kept with their current content, which git stash itself refuses. The index changes, because a reset follows.
 *
 * @param nobodys trees and commits without any person's work; files that equal one of them are not kept
 * @returns the entry's commit; undefined if nothing was changed
 * @throws Failure GIT_FAILED; the files are unchanged then
 */
export async function stashTracked(
  git: Git,
  { message, nobodys }: { message: string; nobodys: readonly string[] },
): Promise<string | undefined> {
  const head = (await git.run(['rev-parse', 'HEAD'])).trim();
  const before = await treeOf(git, head);
  const inConflict = await git.run(['diff', '--name-only', '--diff-filter=U', '-z']);
  if (inConflict !== '') await git.run(['update-index', '--force-remove', '-z', '--stdin'], inConflict);
  const staged = (await git.run(['write-tree'])).trim();
  // Files in conflict are in no index now, and a reset does not touch untracked files.
  if (inConflict !== '') await git.run(['update-index', '--add', '--remove', '-z', '--stdin'], inConflict);
  await git.run(['add', '--update', ':/']);
  const files = (await git.run(['write-tree'])).trim();
  for (const made of nobodys) {
    const parts = [files, staged].map((to) => isPartOf(git, { from: before, to, made }));
    if ((await Promise.all(parts)).every(Boolean)) return undefined;
  }
  const index = await commitOf(git, staged, ['-p', head, '-m', `index of: ${message}`]);
  const kept = await commitOf(git, files, ['-p', head, '-p', index, '-m', message]);
  await git.run(['stash', 'store', '--quiet', '-m', message, kept]);
  return kept;
}

async function treeOf(git: Git, commit: string): Promise<string> {
  return (await git.run(['rev-parse', `${commit}^{tree}`])).trim();
}

async function commitOf(git: Git, tree: string, more: readonly string[]): Promise<string> {
  return (await git.run([...PERSON, 'commit-tree', tree, ...more])).trim();
}
