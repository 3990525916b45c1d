import { commitOf } from '../checkout/checkout';
import { requireHeadKept } from '../checkout/local-commits';
import { CHECKED_OUT_REF } from '../checkout/own-merge';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { DriveContext } from './drive-context';

/** Refs of commits that were made in the worktree of drives while a gate ran. */
const LEFT = 'refs/plat/left';

/**
 * Keeps the commits that were made in the worktree during a gate, by the gate or by a person. Without a ref they would
 * keep each later drive from leaving them, so a branch could hold the queue by a commit.
 */
export async function keepLeftCommit({ git, note }: Pick<DriveContext, 'git' | 'note'>): Promise<void> {
  const head = await commitOf(git, 'HEAD');
  if (head === undefined) return;
  try {
    await requireHeadKept(git, head, []);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'LOCAL_COMMITS') throw error;
    await git.run(['update-ref', `${LEFT}/${head}`, head]);
    await git.run(['update-ref', CHECKED_OUT_REF, head]);
    const branch = nextStep(['git', 'branch', `kept-${head.slice(0, 12)}`, head]);
    note(`Commits were made in the worktree of the drive, and are kept. For a branch of them: ${branch}`);
  }
}
