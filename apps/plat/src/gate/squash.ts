import { type Git, gitFailure } from './git';
import { listed } from './listed';

/** Why a source is not in the merge. */
export type SkipReason =
  /** origin has no such branch. */
  | 'missing'
  /** It conflicts with the target, or with a source before it. */
  | 'conflict'
  /** It adds nothing. */
  | 'empty'
  /** It shares no history with the target. */
  | 'unrelated'
  /** It has a submodule that cannot be checked out, such as one at a commit that the submodule's remote lacks. */
  | 'submodule'
  /** It has files that git reports as changed once they are checked out, by their attributes. */
  | 'unstable';

/** The reason why there is no squash merge. */
export interface Skip {
  reason: SkipReason;
  /** The files that conflict or are unstable; the submodule, or `.gitmodules`, that cannot be checked out. */
  files?: string[];
  /** What keeps a submodule from being checked out; a sentence. */
  detail?: string;
}

/** git's exit code for a merge with conflicts. */
const CONFLICT = 1;

/** Merges without the checkout's files, so that local changes neither block the merge nor get into it. */
export function mergeArguments(onto: string, source: string): string[] {
  return ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', onto, source];
}

export interface SquashCommit {
  tree: string;
  onto: string;
  /** `commit.gpgSign` of the user's settings, which git applies at `git commit` only. */
  signed: boolean;
}

/** The message is read from stdin. */
export function commitArguments({ tree, onto, signed }: SquashCommit): string[] {
  return ['commit-tree', ...(signed ? ['-S'] : []), '-p', onto, '-F', '-', tree];
}

export interface Squash {
  /** The commit onto which it is merged. */
  onto: string;
  /** Tip of the source. */
  source: string;
  message: string;
}

/**
 * Makes the squash commit of a source from the two commits alone; index, files and HEAD stay as they are. Attributes,
 * such as merge drivers, are those of the checked-out files. Decision G5.
 *
 * @returns the squash commit, or the reason why there is none
 * @throws Failure GIT_FAILED
 */
export async function squashSource(git: Git, { onto, source, message }: Squash): Promise<string | Skip> {
  const merge = mergeArguments(onto, source);
  const merged = await git.try(merge);
  const [tree = '', ...files] = listed(merged.stdout);
  if (merged.code === CONFLICT) return { reason: 'conflict', files };
  if (merged.stderr.includes('unrelated histories')) return { reason: 'unrelated' };
  if (merged.code !== 0) throw gitFailure(merge, merged);
  const [before = '', signing = ''] = await Promise.all([
    git.run(['rev-parse', `${onto}^{tree}`]),
    git.run(['config', '--type=bool', '--default=false', 'commit.gpgSign']),
  ]);
  if (before.trim() === tree) return { reason: 'empty' };
  const text = await git.run(['stripspace'], message);
  const signed = signing.trim() === 'true';
  return (await git.run(commitArguments({ tree, onto, signed }), text)).trim();
}
