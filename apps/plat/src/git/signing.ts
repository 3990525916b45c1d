import { Failure } from '../terminal/failure';
import type { Git } from './git';

/** Whether the person signs commits, by `commit.gpgSign`, which git itself applies at `git commit` only. */
export async function isSigning(git: Git): Promise<boolean> {
  const setting = await git.run(['config', '--type=bool', '--default=false', 'commit.gpgSign']);
  return setting.trim() === 'true';
}

/**
 * Signs a commit that no ref names, if the person signs commits, so that a missing key is found before the merge.
 *
 * @param commitId a commit of the checkout
 * @throws Failure CANNOT_SIGN
 */
export async function requireSigning(git: Git, commitId: string): Promise<void> {
  if (!(await isSigning(git))) return;
  const signed = await git.try(
    ['commit-tree', '-S', '-p', commitId, '-F', '-', `${commitId}^{tree}`],
    'A commit that shows whether this person can sign\n',
  );
  if (signed.code === 0) return;
  throw new Failure(
    'CANNOT_SIGN',
    `commit.gpgSign says that commits are signed here, and git cannot sign one: ${signed.stderr.trim()}`,
    {
      next: 'git config user.signingKey <a key that works here>, or git config commit.gpgSign false, then repeat the command',
    },
  );
}
