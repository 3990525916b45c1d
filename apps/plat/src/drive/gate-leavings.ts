import { randomBytes } from 'node:crypto';
import { cp, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '@plat/local';
import { commitOf } from '../gate/checkout';
import { checkoutFolder } from '../gate/checkout-lock';
import { isInTheWay } from '../gate/files-in-the-way';
import type { Git } from '../gate/git';
import { listed } from '../gate/listed';
import { checkOut } from '../gate/place';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

/**
 * Finds, before a gate begins, the paths of the target that the merge drops and that exist in the checkout.
 * A file that appears at another dropped path was made during the gate, because the checkout of the merge removes
 * the target's file.
 *
 * @returns paths relative to the checkout
 */
export async function foundBeforeGate(git: Git, merge: DriveState['merge']): Promise<string[]> {
  const dropped = await droppedPaths(git, merge);
  const isFree = await Promise.all(dropped.map((path) => nothingAt(join(git.folder, path))));
  return dropped.filter((_path, at) => !isFree[at]);
}

/**
 * Checks out another commit than the gated merge. Files that the gate left in the way of that commit are moved out of
 * the checkout if the merge ignores them, because ignored files are output, not work. None is deleted.
 *
 * @throws Failure FILES_IN_THE_WAY for files that may have been there before the gate
 */
export async function checkOutAfterGate(
  { git, note }: Pick<DriveContext, 'git' | 'note'>,
  { merge, foundBeforeGate: found }: DriveState,
  commit: string,
): Promise<void> {
  try {
    await checkOut(git, commit);
  } catch (error) {
    if (!isInTheWay(error) || found === undefined) throw error;
    if ((await commitOf(git, 'HEAD')) !== merge?.mergeCommit) throw error;
    const { files } = error.details as { files: string[] };
    const dropped = await droppedPaths(git, merge);
    const isMade = (file: string) => dropped.some(isAt(file)) && !found.some(isAt(file));
    if (!files.every(isMade) || (await untracked(git, files, ['--exclude-standard'])).length > 0) throw error;
    await setAside({ git, note }, await untracked(git, files));
    await checkOut(git, commit);
  }
}

/** Checks whether a path is the file, or is in it if it is a folder. */
function isAt(file: string): (path: string) => boolean {
  return (path) => path === file || path.startsWith(`${file}/`);
}

async function droppedPaths(git: Git, merge: DriveState['merge']): Promise<string[]> {
  const { targetCommit, mergeCommit } = merge ?? {};
  if (targetCommit === undefined || mergeCommit === undefined) return [];
  const compared = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', '--diff-filter=D'];
  return listed(await git.run([...compared, targetCommit, mergeCommit]));
}

/** A file in place of a folder of the path is in the way as well, so only ENOENT counts as free. */
function nothingAt(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

async function untracked(git: Git, files: readonly string[], exclude: string[] = []): Promise<string[]> {
  return listed(
    await git.run(['--literal-pathspecs', 'ls-files', '--others', '-z', ...exclude, '--', ...files]),
  );
}

async function setAside({ git, note }: Pick<DriveContext, 'git' | 'note'>, files: string[]): Promise<void> {
  const name = `${await commitOf(git, 'HEAD')}-${randomBytes(4).toString('hex')}`;
  const folder = join(await checkoutFolder(git), 'set-aside', name);
  await makePrivateFolder(folder);
  const shown = files.slice(0, 5).join(', ') + (files.length > 5 ? ', …' : '');
  note(`The gate left files where the target has files of its own. They are moved to ${folder}: ${shown}.`);
  for (const file of files) await move(join(git.folder, file), join(folder, file));
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    // The git folder may be on another file system than the checkout.
    if (error.code !== 'EXDEV') throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await rm(from, { recursive: true });
  });
}
