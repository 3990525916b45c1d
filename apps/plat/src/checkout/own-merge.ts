import { createHash } from 'node:crypto';
import type { Git } from '../git/git';
import type { SourceTip } from '../origin/source-tips';

/** Refs of the gates' merges in this checkout. They keep the commits, and cannot collide with a branch. */
export const MERGES = 'refs/plat/merges';
const ONTO = 'refs/plat/onto';
const GATED = 'refs/plat/gated';
const SOURCES = 'refs/plat/sources';

/**
 * The ref of the squash commit that the last gate in this worktree checked out. It names the commit before the local
 * branch does.
 */
export const SQUASH_REF = 'refs/worktree/plat/squash';

/** The ref of the commit that a drive checked out last in its worktree. HEAD is not a person's commit then. */
export const CHECKED_OUT_REF = 'refs/worktree/plat/checked-out';

/** The ref of the merge whose gate ran last in the worktree of drives, so that its files are there. */
export const GATED_FILES_REF = 'refs/worktree/plat/gated-files';

/** The ref of the landed commit whose gate left the files of that worktree. Missing if their merge did not land. */
export const LANDED_FILES_REF = 'refs/worktree/plat/landed-files';

/** The ref of the last merge that gate-merge made onto the target. */
export function mergeRef(targetBranch: string): string {
  return `${MERGES}/${refName(targetBranch)}`;
}

/** The ref of the target's commit below the last merge. */
export function ontoRef(targetBranch: string): string {
  return `${ONTO}/${refName(targetBranch)}`;
}

/** The ref of a blob that lists the sources of the last merge onto the target. */
export function sourcesRef(targetBranch: string): string {
  return `${SOURCES}/${refName(targetBranch)}`;
}

/** Stores the sources of a merge in a blob. @returns its id, for `sourcesRef` */
export async function writeSources(git: Git, sources: readonly SourceTip[]): Promise<string> {
  const listed = sources.map(({ sourceBranch, sourceCommit }) => ({ sourceBranch, sourceCommit }));
  return (await git.run(['hash-object', '-w', '--stdin'], JSON.stringify(listed))).trim();
}

/** The sources of the last merge onto the target; empty for a merge of a client that did not store them. */
export async function readSources(git: Git, targetBranch: string): Promise<SourceTip[]> {
  const { code, stdout } = await git.try(['cat-file', 'blob', sourcesRef(targetBranch)]);
  return code === 0 ? (JSON.parse(stdout) as SourceTip[]) : [];
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
