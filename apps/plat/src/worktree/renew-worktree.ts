import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rename, rmdir, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { noteBegun, noteEnded } from '../checkout/begun-checkout';
import { updateSubmodules } from '../checkout/submodules';
import type { Git } from '../git/git';
import { removeTree } from '../git/remove-tree';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

const OLD = '.old-';

/**
 * Gives the worktree of drives a new folder with the files of HEAD alone. The old folder is removed as a whole, because no
 * listing of git shows all that a gate can leave: it passes over what is below a folder `.git`, and what submodules ignore.
 *
 * @param note called with each old folder that cannot be removed
 * @throws Failure WORKTREE_UNUSABLE, GIT_FAILED
 */
export async function renewWorktree(git: Git, note: (line: string) => void): Promise<void> {
  const folder = await realpath(git.folder);
  const own = (await git.run(['rev-parse', '--absolute-git-dir'])).replace(/\n$/, '');
  const commitId = (await git.run(['rev-parse', 'HEAD'])).trim();
  // Noted before the exchange, because a drive that is killed after it leaves a folder without files.
  await noteBegun(git, { commitId, leaving: [], renews: true });
  await exchange(folder, `gitdir: ${own}\n`).catch(async (error: unknown) => {
    await noteEnded(git);
    throw error;
  });
  await checkOutRenewed(git);
  await removeOld(folder, note);
}

/** If it is killed between the two moves, the folder is missing, and the next drive makes the worktree again. */
async function exchange(folder: string, link: string): Promise<void> {
  const [fresh, old] = [oldName(folder), oldName(folder)];
  await mkdir(fresh);
  await writeFile(join(fresh, '.git'), link);
  try {
    await rename(folder, old);
  } catch (error) {
    await unlink(join(fresh, '.git'));
    await rmdir(fresh);
    throw unusable(folder, error as Error);
  }
  await rename(fresh, folder);
}

const oldName = (folder: string): string => `${folder}${OLD}${randomBytes(4).toString('hex')}`;

function unusable(folder: string, { message }: Error): Failure {
  return new Failure('WORKTREE_UNUSABLE', `The files of gates in ${folder} cannot be put away: ${message}`, {
    details: { folder },
    next: nextStep(['git', 'worktree', 'remove', '--force', folder], ', then repeat the command'),
  });
}

/** Checks HEAD out into the new folder. Also ends a renewal that was killed. */
export async function checkOutRenewed(git: Git): Promise<void> {
  // A gate may have marked files in the index as unchanged, and git would not write them.
  await git.run(['read-tree', '--empty']);
  await git.run(['reset', '--quiet', '--hard']);
  await updateSubmodules(git, [], ['--force']);
  await noteEnded(git);
}

/** Removes the old folders next to the worktree, also those of a killed drive. */
async function removeOld(folder: string, note: (line: string) => void): Promise<void> {
  const [parent, prefix] = [dirname(folder), `${basename(folder)}${OLD}`];
  const names = (await readdir(parent)).filter(
    (name) => name.startsWith(prefix) && /^[0-9a-f]{8}$/.test(name.slice(prefix.length)),
  );
  for (const path of names.map((name) => join(parent, name))) {
    if (!(await isOwnFolder(path))) continue;
    await removeTree(path).catch(({ message }: Error) =>
      note(
        `${path} has files of an earlier gate that cannot be removed: ${message}. Remove the folder by hand.`,
      ),
    );
  }
}

async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.();
}
