import { randomBytes } from 'node:crypto';
import { cp, lstat, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '@plat/local';
import { isInTheWay } from '../checkout/files-in-the-way';
import { checkOut } from '../checkout/place';
import type { Git } from '../git/git';
import { listed } from '../git/listed';
import { removeTree } from '../git/remove-tree';
import type { DriveContext } from './drive-context';

const SHOWN_MAX = 5;
/** Most times that git names further files in the way of one checkout. */
const ATTEMPTS_MAX = 5;

type Aside = Pick<DriveContext, 'git' | 'note' | 'asideFolder'>;

/**
 * Does work that checks commits out in the drive's worktree. Files that gates left in its way are moved out of the
 * worktree, and it is done again. None is deleted.
 *
 * @throws Failure FILES_IN_THE_WAY if the files cannot be moved; the failures of the work
 */
export async function withFilesSetAside<T>(aside: Aside, work: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isInTheWay(error) || attempts === ATTEMPTS_MAX) throw error;
      const { files } = error.details as { files: string[] };
      const untracked = listed(
        await aside.git.run(['--literal-pathspecs', 'ls-files', '--others', '-z', '--', ...files]),
      );
      // Files of a submodule that a commit drops are in no listing of the worktree.
      await setAside(aside, untracked.length > 0 ? untracked : files);
    }
  }
}

/** Checks a commit out in the drive's worktree. */
export function checkOutInDrive(aside: Aside, commitId: string): Promise<void> {
  return withFilesSetAside(aside, () => checkOut(aside.git, commitId));
}

/** Moves files out of the drive's worktree, into a folder that the note names. */
export async function setAside({ git, note, asideFolder }: Aside, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const folder = join(asideFolder, randomBytes(6).toString('hex'));
  await makePrivateFolder(folder);
  const shown = files.slice(0, SHOWN_MAX).join(', ') + (files.length > SHOWN_MAX ? ', …' : '');
  note(`A gate left files that are in the way. They are moved to ${folder}: ${shown}.`);
  for (const file of files) await move(git, file, folder);
}

async function move(git: Git, file: string, folder: string): Promise<void> {
  const [from, to] = [join(git.folder, file), join(folder, file)];
  if (!(await isThere(from))) return;
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    // The git folder may be on another file system than the worktree.
    if (error.code !== 'EXDEV') throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await removeTree(from);
  });
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
