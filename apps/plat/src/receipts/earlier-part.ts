import type { Git } from '../gate/git';
import { isIn, listMergeBases } from './commit-facts';
import { mergeTree } from './merge-from';

interface ExactLanding {
  commitId: string;
  /** The target before it. */
  onto: string;
  sourceTip: string;
  anchorCommitId: string;
}

/**
 * Whether a commit between the merge before and an exact landing brought a part of the source, which no one compared: the
 * landing then adds fewer lines than the source would have added to the merge before. A part that was there earlier is
 * the target's history.
 *
 * @throws Failure SOURCE_OVERSIZED
 */
export async function hasEarlierPart(
  git: Git,
  { commitId, onto, sourceTip, anchorCommitId }: ExactLanding,
): Promise<boolean> {
  const [base, ...others] = await listMergeBases(git, onto, sourceTip);
  if (base === undefined || others.length > 0) return false;
  const landed = await countAdded(git, onto, commitId);
  if (landed >= (await countAdded(git, base, sourceTip))) return false;
  if (await isIn(git, anchorCommitId, base)) return true;
  const merged = await mergeTree(git, { onto: anchorCommitId, source: sourceTip });
  return merged === undefined || landed < (await countAdded(git, anchorCommitId, merged));
}

/** How many lines a tree has more than another one. A file without lines counts as one. */
async function countAdded(git: Git, before: string, after: string): Promise<number> {
  const asked = ['diff-tree', '-r', '--find-renames', '--diff-algorithm=histogram', '--numstat'];
  const files = (await git.run([...asked, before, after])).split('\n').filter(Boolean);
  const added = files.map((file) => (file.startsWith('-') ? 1 : Number.parseInt(file, 10)));
  return added.reduce((sum, lines) => sum + lines, 0);
}
