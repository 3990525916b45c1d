import type { Budget } from '../budget';
import type { ObjectStore } from '../changes/object-store';
import { findDivergence } from '../history/divergence';
import type { RemoteRepository } from '../protocol/remote-repository';
import { judgeTrees } from './judge-trees';
import type { SourceMerge } from './source-line';

/** Most merges of the target into a source that are made again. */
const MERGES_MAX = 16;

interface Reading {
  store: ObjectStore;
  remote: RemoteRepository;
  budget: Budget;
}

/**
 * Whether merges of the target into a source changed nothing but conflicts, so that a landing without them lacks
 * nothing. Each is made again and compared.
 *
 * @returns undefined if it cannot be determined
 * @throws RemoteFailure
 */
export async function areMergesAlone(
  merges: readonly SourceMerge[],
  reading: Reading,
): Promise<boolean | undefined> {
  if (merges.length > MERGES_MAX) return undefined;
  let isCertain = true;
  for (const merge of merges) {
    const verdict = await verdictOnMerge(merge, reading);
    if (verdict === 'DIVERGENT') return false;
    if (verdict === 'UNKNOWN') isCertain = false;
  }
  return isCertain ? true : undefined;
}

async function verdictOnMerge({ commitId, own, ofTarget }: SourceMerge, { store, remote, budget }: Reading) {
  const divergence = await findDivergence({ remote, budget, sourceTip: own, targetTip: ofTarget });
  if (divergence.relation === 'unrelated') return 'UNKNOWN';
  const bases = divergence.relation === 'landed' ? [own] : divergence.bases;
  const [base] = bases;
  if (base === undefined || bases.length > 1) return 'UNKNOWN';
  await store.loadCommits([commitId, own, ofTarget, base]);
  const [landed, ours, theirs, before] = [commitId, own, ofTarget, base].map((id) => store.commit(id).treeId);
  const trees = { base: before!, ours: ours!, theirs: theirs!, landed: landed! };
  const landing = { trees, earlier: { ours: [], theirs: [] }, olderCommits: [] };
  return (await judgeTrees(store, landing, budget)).verdict;
}
