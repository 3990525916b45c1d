import { findBroughtParts } from './brought-parts';
import { findOlderBase } from './built-on';
import { byHand, type Judgement, sameChange, unknown } from './content-verdict';
import { compareTrees, type Comparison, verdictOf } from './judge-trees';
import { type LandedMerge, type Landing, readLandedMerge } from './merge-reading';
import { findSteps } from './source-steps';

/** Most commits before a landed one in which a person may have decided a conflict of the source. */
const RECENT_MAX = 64;

/**
 * The verdict on one commit: whether it is the merge of the source onto the commit before it, or the last of the source's
 * commits, which landed one by one.
 *
 * @throws RemoteFailure
 */
export async function judgeLanding(landing: Landing): Promise<Judgement> {
  // The reviewed commit itself is on the target.
  if (landing.commitId === landing.sourceTip) return { verdict: 'EXACT' };
  const merge = await readLandedMerge(landing);
  return typeof merge === 'string' ? unknown(merge) : judgeMerge(merge);
}

async function judgeMerge(merge: LandedMerge): Promise<Judgement> {
  const compared: Comparison[] = [];
  for (const base of merge.divergence.bases) {
    compared.push(await compareTrees(treesOf(merge, base), merge));
  }
  const judgement = agree(compared.map(verdictOf));
  // A commit without a change is no landing: the target had the source's change before, or a decision of its conflicts.
  if (isEmpty(merge)) return judgement.verdict === 'DIVERGENT' ? judgement : unknown('landing_not_found');
  if (judgement.verdict === 'EXACT' || judgement.verdict === 'SAME_CHANGE') return judgement;
  const { isWhole, places } = await findSteps(merge, await findRecentParts(merge));
  if (isWhole && places.length === 0) return sameChange('rebased');
  // A person decided the conflicts of single commits. What is outside of the whole merge's conflicts has to be as merged.
  const decidedPaths = new Set(places.map(({ path }) => path));
  const isDecided = compared.every(
    ({ deviations, refused }) =>
      deviations.length === 0 && refused.length > 0 && refused.every(({ path }) => decidedPaths.has(path)),
  );
  const decided = isWhole && isDecided ? byHand('conflict_resolved', places) : judgement;
  const builtOnCommitId = await findOlderBase(merge, decided);
  return builtOnCommitId === undefined ? decided : { ...decided, builtOnCommitId };
}

const isEmpty = ({ landing: { commit }, onto, store }: LandedMerge): boolean =>
  commit.treeId === store.commit(onto).treeId;

/** The commits shortly before the landed one that brought a part of the source. Ids. */
async function findRecentParts(merge: LandedMerge): Promise<ReadonlySet<string>> {
  const parts = await findBroughtParts(merge.divergence.chain.slice(0, RECENT_MAX), merge);
  return new Set(parts.flatMap(({ commitId }) => commitId ?? []));
}

function treesOf({ landing, onto, store }: LandedMerge, base: string) {
  const treeOf = (id: string) => store.commit(id).treeId;
  const { sourceTip, commit } = landing;
  return { base: treeOf(base), ours: treeOf(onto), theirs: treeOf(sourceTip), landed: commit.treeId };
}

/** If there are several merge bases, git merges these first, so only a landing that is exact from each is certain. */
function agree([first, ...others]: Judgement[]): Judgement {
  if (first === undefined) return unknown('several_merge_bases');
  if (others.length === 0) return first;
  const isExact = [first, ...others].every(({ verdict }) => verdict === 'EXACT');
  return isExact ? sameChange('several_merge_bases') : unknown('several_merge_bases');
}
