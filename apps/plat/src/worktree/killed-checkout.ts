import { noteEnded, readBegunCheckout } from '../checkout/begun-checkout';
import { commitOf } from '../checkout/checkout';
import { removeInterruptedMergeFiles } from '../checkout/checkout-state';
import { resetTakenOut, updateHeldSubmodules } from '../checkout/submodules';
import type { Git } from '../git/git';
import { removeAllLocks, removeLeftLocks } from '../git/left-locks';
import { listed } from '../git/listed';
import { worksIn } from '../processes/works-in';
import { checkOutRenewed } from './renew-worktree';

/**
 * Resets a checkout in which an earlier run of the client was killed, perhaps together with its git, while it checked
 * a commit out. Takes back only files of that commit. If anything else was changed since, leaves all files as they
 * are.
 *
 * @param note called if there was something to reset
 * @throws Failure GIT_FAILED
 */
export async function resetKilledCheckout(git: Git, note: (line: string) => void): Promise<void> {
  const begun = await readBegunCheckout(git);
  if (begun === undefined) return;
  const { commitId, leaving, beganAt } = begun;
  await removeLocksOfKilled(git, beganAt);
  const [head, there] = [await commitOf(git, 'HEAD'), await commitOf(git, commitId)];
  // git may have removed the commit since. Then the changes cannot be compared with it, and stay.
  if (begun.renews) {
    await checkOutRenewed(git);
    return note(`An earlier run was killed while it renewed ${git.folder}: ${head} is checked out again.`);
  }
  if (head === undefined || there === undefined || !(await isPartOf(git, commitId))) return;
  const isClean = (await git.run(['status', '--porcelain', '--ignore-submodules=none'])) === '';
  await stageAdded(git, commitId);
  await git.run(['reset', '--quiet', '--hard']);
  await removeInterruptedMergeFiles(git);
  await resetTakenOut(git, leaving);
  await updateHeldSubmodules(git);
  await noteEnded(git);
  if (!isClean) {
    note(`An earlier run was killed while it checked out ${commitId}: ${head} is checked out again.`);
  }
}

/** Removes the locks that a killed git has left, unless a git may be at work in the checkout. */
async function removeLocksOfKilled(git: Git, since: number): Promise<void> {
  if (await worksIn('git', git.folder)) return;
  const own = (await git.run(['rev-parse', '--absolute-git-dir'])).replace(/\n$/, '');
  // Others may be at work in other worktrees of the repository.
  await removeLeftLocks({ own, common: own }, since);
}

/** Removes the locks that a git left in a worktree which the caller has claimed, such as a git of a killed gate. */
export async function unlockWorktree(git: Git): Promise<void> {
  if (await worksIn('git', git.folder)) return;
  await removeAllLocks((await git.run(['rev-parse', '--absolute-git-dir'])).replace(/\n$/, ''));
}

/**
 * Whether every change, staged or in the files, can come from the commit's checkout. The changed path has the commit's
 * content; or it is absent, and the commit replaces HEAD's file there, because git removes the old file before a
 * filter makes the new one.
 */
async function isPartOf(git: Git, commit: string): Promise<boolean> {
  const list = async (...args: string[]) => listed(await git.run([...args, '-z']));
  const compare = (...args: string[]) =>
    list('diff', '--name-only', '--no-renames', '--ignore-submodules=all', ...args);
  const replaced = new Set(await compare('HEAD', commit));
  const absent = (await list('ls-files', '--deleted')).filter((path) => replaced.has(path));
  for (const side of [['--cached'], []]) {
    const others = new Set(await compare(...side, commit));
    if (side.length === 0) for (const path of absent) others.delete(path);
    if ((await compare(...side, 'HEAD')).some((path) => others.has(path))) return false;
  }
  return true;
}

/** Stages the untracked files that equal files which the commit adds to HEAD, so that a reset removes them. */
export async function stageAdded(git: Git, commit: string): Promise<void> {
  const stage = (how: string, files: readonly string[]) =>
    git.run(['update-index', how, '-z', '--stdin'], files.map((file) => `${file}\0`).join(''));
  const compared = ['-r', '-z', '--no-renames', '--name-only', '--diff-filter=A'];
  const added = new Set(listed(await git.run(['diff-tree', ...compared, 'HEAD', commit])));
  const untracked = listed(await git.run(['ls-files', '--others', '-z'])).filter((file) => added.has(file));
  if (untracked.length === 0) return;
  await stage('--add', untracked);
  const differing = new Set(listed(await git.run(['diff-index', '--cached', '-z', '--name-only', commit])));
  await stage(
    '--force-remove',
    untracked.filter((file) => differing.has(file)),
  );
}
