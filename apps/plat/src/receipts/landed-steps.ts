import type { Git } from '../gate/git';
import { mergeFrom, mergeTree, readTree } from './merge-from';

/** Most commits of a source that are looked for one by one. */
const STEPS_MAX = 256;
/** Most commits of others that may lie between them. */
const OTHERS_MAX = 40;

/** Whether a source landed commit by commit: why not, if it did not. */
export type LandedSteps = { landed: true; steps: number } | { landed: false; why: string };

interface Landing {
  /** The commit that landed last. */
  commitId: string;
  sourceTip: string;
  /** The commit of the merge before, if one is known. */
  anchorCommitId?: string | undefined;
}

/** A commit of the source, and its only parent. */
interface SourceCommit {
  commit: string;
  parent: string;
}

/**
 * Looks for the source's commits on the target, from the landed commit back along first parents. Each must be exactly
 * the pick of its own onto the commit before it. If commits of others lie between them, merging the source into the
 * landed commit must change nothing, because one of these may have taken back what an earlier one brought.
 *
 * @throws Failure SOURCE_OVERSIZED
 */
export async function findLandedSteps(git: Git, landing: Landing): Promise<LandedSteps> {
  const commits = await readSource(git, landing);
  if (typeof commits === 'string') return { landed: false, why: commits };
  const walk: Walk = { git, at: landing.commitId, others: 0, othersMax: 0 };
  let steps = 0;
  for (const commit of commits) {
    if (await isEmpty(git, commit)) continue;
    if (await findStep(walk, commit)) {
      steps += 1;
    } else if (!(steps > 0 && (await wasThere(git, commit, landing)))) {
      return { landed: false, why: `no commit on the target is the pick of ${commit.commit}` };
    }
  }
  if (steps === 0) return { landed: false, why: 'the source brings nothing' };
  if (walk.others > 0 && !(await stillStands(git, landing))) {
    return { landed: false, why: 'a commit between its steps may have taken back a part' };
  }
  return { landed: true, steps };
}

/** Newest first, or why they cannot be looked for one by one. */
async function readSource(git: Git, { commitId, sourceTip }: Landing): Promise<SourceCommit[] | string> {
  const range = ['rev-list', '--topo-order', '--parents', `--max-count=${STEPS_MAX + 1}`, sourceTip];
  const listed = (await git.run([...range, `^${commitId}`])).trim().split('\n').filter(Boolean);
  if (listed.length > STEPS_MAX) return `the source has more than ${STEPS_MAX} commits`;
  const commits: SourceCommit[] = [];
  for (const line of listed) {
    const [commit = '', parent, ...more] = line.split(' ');
    if (parent === undefined || more.length > 0) return `its commit ${commit} is a merge, or has no parent`;
    commits.push({ commit, parent });
  }
  return commits;
}

/** The state of the walk along first parents. */
interface Walk {
  git: Git;
  /** The next commit of the target to look at. */
  at: string;
  /** Commits of others that were passed, and may be. The first step must be the landed commit itself. */
  others: number;
  othersMax: number;
}

/** Goes on to the commit before the pick of a source's commit. @returns false if there is none */
async function findStep(walk: Walk, { commit, parent }: SourceCommit): Promise<boolean> {
  const { git } = walk;
  let [at, others] = [walk.at, walk.others];
  for (; others <= walk.othersMax; others += 1) {
    const before = await firstParent(git, at);
    if (before === undefined) return false;
    const landed = await readTree(git, at);
    const isChange = landed !== (await readTree(git, before));
    if (isChange && (await mergeFrom(git, { base: parent, onto: before, source: commit })) === landed) {
      Object.assign(walk, { at: before, others, othersMax: OTHERS_MAX });
      return true;
    }
    at = before;
  }
  return false;
}

const isEmpty = async (git: Git, { commit, parent }: SourceCommit): Promise<boolean> =>
  (await readTree(git, commit)) === (await readTree(git, parent));

/** Whether a commit's change was on the target before the merge before: a rebase leaves it out. */
async function wasThere(
  git: Git,
  { commit, parent }: SourceCommit,
  { anchorCommitId }: Landing,
): Promise<boolean> {
  if (anchorCommitId === undefined) return false;
  const picked = await mergeFrom(git, { base: parent, onto: anchorCommitId, source: commit });
  return picked === (await readTree(git, anchorCommitId));
}

async function firstParent(git: Git, commit: string): Promise<string | undefined> {
  const { code, stdout } = await git.try(['rev-parse', '--verify', '--quiet', `${commit}^1`]);
  return code === 0 ? stdout.trim() : undefined;
}

async function stillStands(git: Git, { commitId, sourceTip }: Landing): Promise<boolean> {
  return (await mergeTree(git, { onto: commitId, source: sourceTip })) === (await readTree(git, commitId));
}
