import type { Git } from '../git/git';
import { isIn, readTree } from './commit-facts';
import { mergeFrom, type ThreeCommits } from './merge-from';
import { findArrival } from './target-line';

/** An exact merge of a source, or of some of its commits, that landed. */
interface ExactLanding extends ThreeCommits {
  landed: string;
  /** The merge before in the queue. */
  anchorCommitId: string;
}

export const EARLIER = 'a commit since the merge before brought a part of the source';

/**
 * Whether a commit between the merge before and a landing brought a part of the source, which no one compared: the landing
 * then adds fewer lines than the source would have added to the merge before. A part that was there earlier is the target's
 * history.
 *
 * @throws Failure SOURCE_OVERSIZED
 */
export async function hasEarlierPart(
  git: Git,
  { base, onto, source, landed, anchorCommitId }: ExactLanding,
): Promise<boolean> {
  const added = await countAdded(git, onto, landed);
  if (anchorCommitId === landed || added >= (await countAdded(git, base, source))) return false;
  if (await isIn(git, anchorCommitId, base)) return true;
  const merged = await mergeFrom(git, { base, onto: anchorCommitId, source });
  return merged === undefined || added < (await countAdded(git, anchorCommitId, merged));
}

/**
 * Whether a merge since the merge before brought the first commits of the source, and its change no longer stands. git
 * leaves these commits out of the next merge.
 *
 * @throws Failure SOURCE_OVERSIZED
 */
export async function isTakenBack(git: Git, { base, onto, anchorCommitId }: ExactLanding): Promise<boolean> {
  if (await isIn(git, base, anchorCommitId)) return false;
  const arrival = await findArrival(git, base, onto);
  if (arrival?.on !== 'merge') return false;
  const { commit, parents } = arrival.merge;
  const again = await mergeFrom(git, { base: parents[0]!, onto, source: commit });
  return again !== (await readTree(git, onto));
}

/** How many lines a tree has more than another one. A file without lines counts as one. */
async function countAdded(git: Git, before: string, after: string): Promise<number> {
  const asked = ['diff-tree', '-r', '--find-renames', '--diff-algorithm=histogram', '--numstat'];
  const files = (await git.run([...asked, before, after])).split('\n').filter(Boolean);
  const added = files.map((file) => (file.startsWith('-') ? 1 : Number.parseInt(file, 10)));
  return added.reduce((sum, lines) => sum + lines, 0);
}
