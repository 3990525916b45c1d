import type { MergeReceipt } from '@plat/api-client';
import type { Git } from '../gate/git';
import { listed } from '../gate/listed';
import { mergeByRecipe } from '../gate/merge-by-recipe';
import { Failure } from '../terminal/failure';
import { printableLine } from '../terminal/printable';
import { hasCommit } from './receipt-clone';

/** Most paths that a verdict names. */
const PATHS_MAX = 5;

/**
 * git's own verdict on a landing. UNDECIDED if a conflict was decided by hand, which no merge can repeat, if the branches
 * have several merge bases, or if the landing has more than the merge, which no one may have reviewed.
 */
export interface MergedAgain {
  verdict: 'EXACT' | 'DIVERGENT' | 'UNDECIDED' | 'NOT_COMPUTED';
  detail: string;
}

const notComputed = (detail: string): MergedAgain => ({ verdict: 'NOT_COMPUTED', detail });

/**
 * Judges a landing by the recipe's merge, independent of the receipt's verdict. EXACT: merging the source onto the
 * landed commit's parent yields its tree. Otherwise merges the landed tree with each side, from the merge base: if
 * that adds something of a side, the landed tree lacks a part of it. Nothing else is sound: git cannot distinguish another way
 * to join a rename from content that was put in.
 *
 * @param branchTip the current tip of the source branch, if it exists: the source for a receipt that names none
 */
export async function mergeAgain(
  git: Git,
  { commitId: reported, landedCommitId: commitId = reported, sourceTip: named }: MergeReceipt,
  branchTip: string | undefined,
): Promise<MergedAgain> {
  if (commitId === undefined) return notComputed('the receipt names no commit');
  // If the service could not judge the content, the receipt names no source, but the branch may still be there.
  const sourceTip = named ?? branchTip;
  if (sourceTip === undefined || !(await hasCommit(git, sourceTip))) {
    return notComputed('the reviewed source is no longer in the repository');
  }
  if (commitId === sourceTip && branchTip === undefined) {
    return notComputed('the receipt names the landed commit as the source, and the branch is gone');
  }
  if (commitId === sourceTip) return { verdict: 'EXACT', detail: 'the reviewed commit itself landed' };
  const [, ...parents] = (await git.run(['rev-list', '--parents', '-n', '1', commitId])).trim().split(' ');
  const onto = parents[0] === sourceTip && parents[1] !== undefined ? parents[1] : parents[0];
  if (onto === undefined || parents.length > 2) {
    return notComputed(`the landed commit has ${parents.length} parents`);
  }
  const bases = (await git.try(['merge-base', '--all', onto, sourceTip])).stdout
    .trim()
    .split('\n')
    .filter(Boolean);
  if (bases.length === 0) return notComputed('source and target have no history in common');
  if (bases[0] === sourceTip) return notComputed('the source was in the parent already');
  try {
    return await compareMerges(git, { commitId, sourceTip, onto, bases });
  } catch (error) {
    if (error instanceof Failure) return notComputed(error.message);
    throw error;
  }
}

interface Sides {
  commitId: string;
  sourceTip: string;
  onto: string;
  bases: string[];
}

async function compareMerges(git: Git, { commitId, sourceTip, onto, bases }: Sides): Promise<MergedAgain> {
  const landed = (await git.run(['rev-parse', `${commitId}^{tree}`])).trim();
  const merged = await mergeTree(git, onto, sourceTip);
  if (merged === landed) return { verdict: 'EXACT', detail: 'the merge is the landed tree' };
  const [base] = bases;
  if (base === undefined || bases.length > 1) {
    return { verdict: 'UNDECIDED', detail: 'the branches have several merge bases' };
  }
  // The landed tree as a commit directly on the merge base, so that both sides merge from there.
  const alone = await commitOf(git, landed, base);
  const [withSource, withTarget] = [
    await mergeTree(git, alone, sourceTip),
    await mergeTree(git, alone, onto),
  ];
  if (isOther(withSource, landed)) {
    return { verdict: 'DIVERGENT', detail: 'a part of the reviewed change is missing' };
  }
  if (isOther(withTarget, landed)) return { verdict: 'DIVERGENT', detail: 'work of the target is undone' };
  if (merged !== undefined && withSource === landed && withTarget === landed) {
    const paths = await describeChangedPaths(git, merged, landed);
    return {
      verdict: 'UNDECIDED',
      detail: `the landed tree has the change, and differs from the merge in ${paths}`,
    };
  }
  return { verdict: 'UNDECIDED', detail: 'a conflict was decided by hand' };
}

async function describeChangedPaths(git: Git, merged: string, landed: string): Promise<string> {
  const paths = listed(
    await git.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', merged, landed]),
  );
  return printableLine(
    paths.slice(0, PATHS_MAX).join(', ') +
      (paths.length > PATHS_MAX ? ` and ${paths.length - PATHS_MAX} more` : ''),
  );
}

const isOther = (tree: string | undefined, landed: string): boolean => tree !== undefined && tree !== landed;

/** Undefined: they conflict. @throws Failure SOURCE_OVERSIZED */
async function mergeTree(git: Git, onto: string, source: string): Promise<string | undefined> {
  const merged = await mergeByRecipe(git, { onto, source });
  if (merged.outcome === 'oversized') {
    throw new Failure('SOURCE_OVERSIZED', 'one side has far more files than the other');
  }
  return merged.outcome === 'clean' ? merged.tree : undefined;
}

async function commitOf(git: Git, tree: string, parent: string): Promise<string> {
  const person = ['-c', 'user.name=plat', '-c', 'user.email=plat@localhost'];
  return (await git.run([...person, 'commit-tree', tree, '-p', parent, '-m', 'landed'])).trim();
}
