import type { Budget } from '../budget';
import { CarrierSearch } from '../changes/carrier-search';
import { readEarlyChanges } from '../changes/early-changes';
import { type CommitGraph, descendantsOf } from '../history/commit-graph';
import {
  type Asked,
  type Diverged,
  type Divergence,
  findDivergence,
  findInWholeHistory,
} from '../history/divergence';
import { bringsNothing } from '../merge/merge-trees';
import { type ChangedDirectory, readChangeSet } from '../objects/change-set';
import { ObjectStore } from '../objects/object-store';
import { branchRef } from '../protocol/branch-ref';
import type { RemoteRepository } from '../protocol/remote-repository';
import { ServerRefusal } from '../remote-failure';
import { type HistoryLanding, notVerified, type Verdict } from '../verdict';
import { isOnlyMoved } from './moved-deletion';

/** Most candidates that are merged as a whole to find moved files. */
const MERGED_CANDIDATES_MAX = 16;

export interface HistoryQuestion {
  targetBranch: string;
  sourceBranch: string;
}

/**
 * Condition B: the source tip is in the target's history, or one commit of the target carries everything that the
 * source branch changed since it diverged. Compares the change set, not the commit graph.
 *
 * @throws RemoteFailure if the remote cannot be judged
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

  if (targetTip === sourceTip) {
    return { verified: true, landing: { targetTip, sourceTip, proof: 'ancestor' } };
  }

  const sides = { remote, sourceTip, targetTip, budget };
  const asked: Asked = {
    ...sides,
    readEarly: (ahead, parted) => readEarlyChanges(sides, ahead, parted),
  };
  try {
    return await judgeDivergence(asked, await findDivergence(asked));
  } catch (failure) {
    if (!(failure instanceof ServerRefusal) || remote.capabilities.version === 0) throw failure;
    // Some servers send only the tips of branches, so the whole history has to come with these.
    return judgeDivergence(asked, await findInWholeHistory(asked));
  }
}

async function judgeDivergence(asked: Asked, divergence: Divergence): Promise<Verdict<HistoryLanding>> {
  const { targetTip, sourceTip } = asked;
  switch (divergence.relation) {
    case 'landed':
      return { verified: true, landing: { targetTip, sourceTip, proof: 'ancestor' } };
    case 'unrelated':
      return notVerified('unrelated_history');
    case 'diverged': {
      const carrierCommitId = await findCarrier(asked, divergence);
      if (carrierCommitId === undefined) return notVerified('not_landed');
      const { bases: mergeBases } = divergence;
      return {
        verified: true,
        landing: { targetTip, sourceTip, proof: 'change_set', mergeBases, carrierCommitId },
      };
    }
  }
}

/** Finds a carrier for every merge base. @returns the one for the first; undefined if a base has none */
async function findCarrier(asked: Asked, divergence: Diverged): Promise<string | undefined> {
  const { remote, sourceTip, targetTip, budget } = asked;
  const { bases, chain, graph, packs } = divergence;
  if (chain.length === 0) return undefined;
  const store = new ObjectStore(remote, packs);
  const sourceTreeId = store.commit(sourceTip).treeId;
  const candidateTreeId = store.commit(targetTip).treeId;
  // One request loads what the comparison reads first. The newest candidate is the target's tip.
  await store.loadCommits(bases, [sourceTreeId, candidateTreeId]);
  let carrier: string | undefined;
  for (const base of bases) {
    const baseTreeId = store.commit(base).treeId;
    const trees = { baseTreeId, sourceTreeId, besideTreeIds: [candidateTreeId] };
    const changes = await readChangeSet(store, trees, budget.caps);
    // A commit that the target had before the base is no landing: a branch may take back its own merged change.
    const since = descendantsOf(graph, base);
    const candidates = chain.filter((id) => since.has(id));
    // An empty change set is no landing.
    if (changes === undefined) return undefined;
    const found =
      (await new CarrierSearch(store, changes, budget).find(candidates, graph)) ??
      (await findMovedCarrier(candidates, { store, changes, graph, budget, trees }));
    if (found === undefined) return undefined;
    if (await isOnlyMoved({ store, changes, budget }, { candidates, graph, targetTreeId: candidateTreeId })) {
      return undefined;
    }
    carrier ??= found;
  }
  return carrier;
}

/** Compares moved files as git does, by a whole merge. That is slow, so it compares few candidates only. */
async function findMovedCarrier(
  candidates: readonly string[],
  {
    store,
    changes,
    graph,
    budget,
    trees,
  }: {
    store: ObjectStore;
    changes: ChangedDirectory;
    graph: CommitGraph;
    budget: Budget;
    trees: { baseTreeId: string; sourceTreeId: string };
  },
): Promise<string | undefined> {
  const search = new CarrierSearch(store, changes, budget, true);
  for (const commitId of await search.findLikely(candidates, { graph, max: MERGED_CANDIDATES_MAX })) {
    const ours = graph.get(commitId)?.treeId;
    if (ours === undefined) continue;
    const sides = { base: trees.baseTreeId, ours, theirs: trees.sourceTreeId };
    if (await bringsNothing(sides, { store, budget })) return commitId;
  }
  return undefined;
}

function isPresent(ref: string | undefined): ref is string {
  return ref !== undefined;
}
