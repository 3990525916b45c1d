import type { Git } from '../git/git';
import { readParents, readTree } from './commit-facts';
import { judgeLanding, type ReviewedSource } from './judge-landing';
import { mergeFrom, mergeTree } from './merge-from';
import { type MergedAgain, notComputed } from './merged-again';
import { findArrival } from './target-line';

interface OtherCommit extends ReviewedSource {
  /** The commit that brought the change, according to the receipt. */
  landed: string;
  reported: string;
}

/**
 * Judges a receipt whose landing is another commit than the reported one: that one is the landing, on the line of the
 * target, and the reported one neither brings a part of the source nor takes one back.
 *
 * @throws Failure
 */
export async function judgeOther(
  git: Git,
  { landed, reported, ...source }: OtherCommit,
): Promise<MergedAgain> {
  const arrival = await findArrival(git, landed, reported);
  if (arrival === undefined) return notComputed(`${landed} is not in the reported commit`);
  if (landed !== source.sourceTip) {
    if (arrival.on === 'merge') return notComputed(`a merge brought ${landed} to the target`);
    return judgeBefore(git, { landed, reported, ...source });
  }
  if (arrival.on === 'line') return notComputed('git does not show with which commit the source begins');
  const { commit } = arrival.merge;
  if (commit === reported) return judgeLanding(git, { ...source, commitId: reported });
  return judgeBefore(git, { ...source, landed: commit, reported });
}

async function judgeBefore(git: Git, other: OtherCommit): Promise<MergedAgain> {
  const { landed, reported } = other;
  const found = await judgeLanding(git, { ...other, commitId: landed });
  if (found.verdict === 'DIVERGENT' || found.verdict === 'NOT_COMPUTED') return found;
  if (found.verdict !== 'EXACT') {
    return { verdict: 'UNDECIDED', detail: `${found.detail}, and the reported commit is another one` };
  }
  const [before = reported] = await readParents(git, reported);
  if ((await compareStanding(git, before, other)) !== 'whole') {
    return {
      verdict: 'UNDECIDED',
      detail: `${landed} is the merge, but a part of it no longer stands in ${before}`,
    };
  }
  const standing = await compareStanding(git, reported, other);
  if (standing === 'whole') {
    // A merge of the very source is its landing, even if another commit brought the same before.
    const isMergeOfIt = (await readParents(git, reported)).includes(other.sourceTip);
    const own = isMergeOfIt ? await judgeLanding(git, { ...other, commitId: reported }) : undefined;
    if (own?.verdict === 'DIVERGENT') return own;
    return { verdict: 'SAME_CHANGE', detail: `${landed} is the merge, and still stands in ${reported}` };
  }
  return {
    verdict: standing === 'lost' ? 'DIVERGENT' : 'UNDECIDED',
    detail: `${landed} is the merge, but a part of it no longer stands in ${reported}`,
  };
}

/**
 * How a landing stands in a later commit: `whole` if merging the source and the landing into it changes nothing, `lost` if
 * the later commit took back or altered a part of the landing. `open`: lines of others are in conflict with the source.
 */
async function compareStanding(
  git: Git,
  later: string,
  { landed, sourceTip }: OtherCommit,
): Promise<'whole' | 'lost' | 'open'> {
  const tree = await readTree(git, later);
  const [base = landed] = await readParents(git, landed);
  if ((await mergeFrom(git, { base, onto: later, source: landed })) !== tree) return 'lost';
  const merged = await mergeTree(git, { onto: later, source: sourceTip });
  if (merged === undefined) return 'open';
  return merged === tree ? 'whole' : 'lost';
}
