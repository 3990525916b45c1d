import { createHash } from 'node:crypto';
import type { Git } from './git';

/** Refs of the gates' merges in this checkout. They keep the commits, and cannot collide with a branch. */
export const MERGES = 'refs/plat/merges';
const ONTO = 'refs/plat/onto';
const GATED = 'refs/plat/gated';

/**
 * The ref of the squash commit that the last gate in this worktree checked out. It names the commit before the local
 * branch does.
 */
export const SQUASH_REF = 'refs/worktree/plat/squash';

/** The ref of the last merge that gate-merge made onto the target. */
export function mergeRef(targetBranch: string): string {
  return `${MERGES}/${refName(targetBranch)}`;
}

/** The ref of the target's commit below the last merge. */
export function ontoRef(targetBranch: string): string {
  return `${ONTO}/${refName(targetBranch)}`;
}

/** The ref of the last merge onto the target whose gate passed. */
export function gatedRef(targetBranch: string): string {
  return `${GATED}/${refName(targetBranch)}`;
}

/** Records that the gate of a merge has passed: `plat exec push` pushes no other merge. */
export async function noteGated(git: Git, targetBranch: string, commitId: string): Promise<void> {
  await git.run(['update-ref', gatedRef(targetBranch), commitId]);
}

/** A name without slashes: branches `a` and `a/b` cannot both be refs, but may be targets one after the other. */
function refName(branch: string): string {
  return createHash('sha256').update(branch).digest('hex').slice(0, 32);
}
