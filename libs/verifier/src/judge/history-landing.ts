import type { Budget } from '../budget';
import { CarrierSearch } from '../changes/carrier-search';
import { readChangeSet } from '../changes/change-set';
import { ObjectStore } from '../changes/object-store';
import { findDivergence, type Divergence } from '../history/divergence';
import type { RemoteRepository } from '../protocol/remote-repository';
import { notVerified, type HistoryLanding, type Verdict } from '../verdict';
import { branchRef } from './branch-ref';

export interface HistoryQuestion {
  targetBranch: string;
  sourceBranch: string;
}

type Diverged = Extract<Divergence, { relation: 'diverged' }>;

/**
 * Condition B: the source tip is in the target's history, or one commit of the target carries everything that the
 * source branch changed since it diverged. The comparison is of the change set, not the commit graph.
 *
 * @throws RemoteFailure when the remote can't be judged
 */
export async function judgeHistoryLanding(
  remote: RemoteRepository,
  question: HistoryQuestion,
  budget: Budget,
): Promise<Verdict<HistoryLanding>> {
  const refs = [branchRef(question.targetBranch), branchRef(question.sourceBranch)];
  const tips = await remote.tips(refs.filter(isPresent));
  const [targetTip, sourceTip] = refs.map((ref) => (ref === undefined ? undefined : tips.get(ref)));
  if (targetTip === undefined || sourceTip === undefined) return notVerified('branch_missing');

  const landed: Verdict<HistoryLanding> = {
    verified: true,
    landing: { targetTip, sourceTip, proof: 'ancestor' },
  };
  if (targetTip === sourceTip) return landed;
  const divergence = await findDivergence({ remote, sourceTip, targetTip, budget });
  if (divergence.relation === 'landed') return landed;
  if (divergence.relation === 'unrelated') return notVerified('unrelated_history');

  const carrierCommitId = await findCarrier({ remote, sourceTip, budget }, divergence);
  if (carrierCommitId === undefined) return notVerified('not_landed');
  const { bases } = divergence;
  return {
    verified: true,
    landing: { targetTip, sourceTip, proof: 'change_set', mergeBases: bases, carrierCommitId },
  };
}

/** The carrier for every merge base; the one for the first of them is told. */
async function findCarrier(
  { remote, sourceTip, budget }: { remote: RemoteRepository; sourceTip: string; budget: Budget },
  { bases, chain, graph, packs }: Diverged,
): Promise<string | undefined> {
  if (chain.length === 0) return undefined;
  const store = new ObjectStore(remote, budget, packs);
  await store.loadCommits(bases);
  const sourceTreeId = store.commit(sourceTip).treeId;
  let carrier: string | undefined;
  for (const base of bases) {
    const trees = { baseTreeId: store.commit(base).treeId, sourceTreeId };
    const changes = await readChangeSet(store, trees, budget.caps);
    // Nothing to look for: an empty change set is no landing.
    const found = changes && (await new CarrierSearch(store, changes, budget.caps).find(chain, graph));
    if (found === undefined) return undefined;
    carrier ??= found;
  }
  return carrier;
}

function isPresent(ref: string | undefined): ref is string {
  return ref !== undefined;
}
