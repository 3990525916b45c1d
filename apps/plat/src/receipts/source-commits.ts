import type { Git } from '../git/git';
import { isIn, readParents, readTree } from './commit-facts';
import { mergeTree } from './merge-from';

/** Most commits of a source that are looked for one by one. */
const COMMITS_MAX = 256;

/** A commit of the source, and its only parent. */
export interface SourceCommit {
  commit: string;
  parent: string;
  /** How many merges of the target the source has above it. */
  merges: number;
}

/** The commits of a source, oldest first, and the merges of the target between them, which a rebase leaves out. */
export interface SourceCommits {
  commits: SourceCommit[];
  merges: SourceMerge[];
}

interface SourceMerge {
  commit: string;
  /** The parent that is the source's own, and the merged commit of the target. */
  own: string;
  ofTarget: string;
}

/**
 * Reads the commits of a source along first parents, down to the history of the target.
 *
 * @returns why they cannot be looked for one by one, if they cannot
 */
export async function readSource(
  git: Git,
  { sourceTip, onto }: { sourceTip: string; onto: string },
): Promise<SourceCommits | string> {
  const found: SourceCommits = { commits: [], merges: [] };
  for (let commit = sourceTip; !(await isIn(git, commit, onto));) {
    const [parent, ofTarget, ...more] = await readParents(git, commit);
    if (parent === undefined || more.length > 0) {
      return `its commit ${commit} has no parent, or more than two`;
    }
    if (ofTarget === undefined) {
      const isEmpty = (await readTree(git, commit)) === (await readTree(git, parent));
      if (!isEmpty) found.commits.unshift({ commit, parent, merges: found.merges.length });
    } else if (await isIn(git, ofTarget, onto)) {
      found.merges.push({ commit, own: parent, ofTarget });
    } else {
      return `its commit ${commit} merges another branch than the target`;
    }
    if (found.commits.length > COMMITS_MAX) return `the source has more than ${COMMITS_MAX} commits`;
    commit = parent;
  }
  return found;
}

/** Whether a landing that leaves out the merges in a source lacks nothing: each is the recipe's own. */
export async function areExactMerges(git: Git, merges: readonly SourceMerge[]): Promise<boolean> {
  for (const { commit, own, ofTarget } of merges) {
    const merged = await mergeTree(git, { onto: own, source: ofTarget });
    if (merged !== (await readTree(git, commit))) return false;
  }
  return true;
}
