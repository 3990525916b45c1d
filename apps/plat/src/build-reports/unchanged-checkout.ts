import { requireNothingUnfinished } from '../checkout/unfinished';
import type { Git } from '../git/git';
import { listed } from '../git/listed';
import { Failure } from '../terminal/failure';

/** Untracked files may be what the build has made. */
const STATUS = ['status', '--porcelain=v1', '--untracked-files=no', '--no-renames', '-z'];

/**
 * Refuses a checkout whose files are not those of its commit: what was built there was not the commit.
 *
 * @throws Failure UNFINISHED_OPERATION for a merge, rebase or the like, DIRTY_TREE for changed files
 */
export async function requireUnchangedCheckout(git: Git): Promise<void> {
  await requireNothingUnfinished(git);
  const files = listed(await git.run(STATUS)).map((entry) => entry.slice('XY '.length));
  if (files.length === 0) return;
  const shown = files.slice(0, 5).join(', ') + (files.length > 5 ? ', …' : '');
  throw new Failure(
    'DIRTY_TREE',
    `The checkout ${git.folder} has changed files, so what was built in it is not its commit: ${shown}.`,
    {
      details: { files },
      next: 'git stash, build again and repeat the command; for a build that ran without the changes: --commit-id $(git rev-parse HEAD)',
    },
  );
}
