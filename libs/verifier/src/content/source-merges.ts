import { findDivergence } from '../history/divergence';
import type { SourceMerge } from '../objects/source-line';
import { judgeTrees } from './judge-trees';
import type { LandedMerge } from './merge-reading';

/** Most merges of the target into a source that are made again. */
const MERGES_MAX = 16;

/**
 * Whether each merge of the target into a source is the recipe's merge, so that a landing without them lacks nothing.
 *
 * @throws RemoteFailure
 */
export async function areExactMerges(merges: readonly SourceMerge[], landed: LandedMerge): Promise<boolean> {
  if (merges.length > MERGES_MAX) return false;
  for (const merge of merges) if (!(await isExactMerge(merge, landed))) return false;
  return true;
}

async function isExactMerge(
  { commitId, own, ofTarget }: SourceMerge,
  { landing, store, budget }: LandedMerge,
): Promise<boolean> {
  const asked = { remote: landing.remote, budget, sourceTip: own, targetTip: ofTarget };
  const divergence = await findDivergence(asked);
  if (divergence.relation === 'unrelated') return false;
  const [base, ...others] = divergence.relation === 'landed' ? [own] : divergence.bases;
  if (base === undefined || others.length > 0) return false;
  await store.loadCommits([commitId, own, ofTarget, base]);
  const treeOf = (id: string) => store.commit(id).treeId;
  const trees = {
    base: treeOf(base),
    ours: treeOf(own),
    theirs: treeOf(ofTarget),
    landed: treeOf(commitId),
  };
  return (await judgeTrees(trees, { store, budget })).verdict === 'EXACT';
}
