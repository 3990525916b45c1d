import type { Budget } from '../budget';
import { ObjectStore } from '../changes/object-store';
import { reachableFrom } from '../history/commit-graph';
import { type Diverged, findDivergence } from '../history/divergence';
import { branchRef } from '../judge/branch-ref';
import type { Commit } from '../pack/commit';
import { isObjectId } from '../pack/object-id';
import type { RemoteRepository } from '../protocol/remote-repository';
import { RemoteFailure } from '../remote-failure';
import { type Judgement, type LandedContent, unknown } from './content-verdict';
import { judgeTrees } from './judge-trees';
import { findLandingCommit } from './landing-commit';

/** A landing that was verified; ids are 40 hex digits. */
export type ContentQuestion =
  /** Through the queue: the commit is known, the source is what its branch points at now. */
  | { commitId: string; sourceBranch: string }
  /** Reconciled: both tips are those that were judged, and the commit is looked for. */
  | { targetTip: string; sourceTip: string };

interface Reading {
  remote: RemoteRepository;
  budget: Budget;
}

/**
 * Whether a verified landing has the content that was reviewed: the merge of the source onto the landed commit's
 * parent is made again and compared with the landed tree.
 *
 * @throws RemoteFailure when not even the landed commit can be read
 */
export async function judgeContent(question: ContentQuestion, reading: Reading): Promise<LandedContent> {
  const sourceTip = await sourceTipOf(question, reading.remote);
  const commitId =
    'commitId' in question ? question.commitId : await findLandingCommit({ ...reading, ...question });
  const source = sourceTip === undefined ? {} : { sourceTip };
  if (commitId === undefined || !isObjectId(commitId)) return { ...unknown('landing_not_found'), ...source };
  const store = new ObjectStore(reading.remote);
  await store.loadCommits([commitId]);
  const commit = store.commit(commitId);
  const [parentId] = commit.parentIds;
  const landed = { ...source, commitId, treeId: commit.treeId, ...(parentId !== undefined && { parentId }) };
  if (sourceTip === undefined) return { ...unknown('source_missing'), ...landed };
  try {
    return { ...(await judgeCommit({ ...reading, sourceTip, commitId, commit })), ...landed };
  } catch (failure) {
    if (failure instanceof RemoteFailure) return { ...unknown(failure.reason), ...landed };
    throw failure;
  }
}

async function sourceTipOf(question: ContentQuestion, remote: RemoteRepository): Promise<string | undefined> {
  if ('sourceTip' in question) return question.sourceTip;
  const ref = branchRef(question.sourceBranch);
  return ref === undefined ? undefined : (await remote.tips([ref])).get(ref);
}

interface LandedCommit extends Reading {
  sourceTip: string;
  commitId: string;
  commit: Commit;
}

async function judgeCommit(landed: LandedCommit): Promise<Judgement> {
  const { remote, budget, sourceTip, commitId, commit } = landed;
  // The reviewed commit itself is on the target.
  if (commitId === sourceTip) return { verdict: 'EXACT' };
  const { parentIds } = commit;
  if (parentIds.length > 2) return unknown('octopus');
  // A merge of the target into the source has the source first; what it is merged with is the other one.
  const onto = parentIds[0] === sourceTip && parentIds[1] !== undefined ? parentIds[1] : parentIds[0];
  if (onto === undefined) return unknown('no_parent');
  const divergence = await findDivergence({ remote, budget, sourceTip, targetTip: onto });
  switch (divergence.relation) {
    case 'landed':
      return unknown('source_merged_before');
    case 'unrelated':
      return unknown('unrelated_history');
    case 'diverged':
      return judgeMerge(landed, onto, divergence);
  }
}

/** With several merge bases git merges these first; so only what holds for each of them is told. */
async function judgeMerge(landed: LandedCommit, onto: string, divergence: Diverged): Promise<Judgement> {
  const { remote, budget, sourceTip, commit } = landed;
  const { bases, chain, graph, packs } = divergence;
  const store = new ObjectStore(remote, packs);
  await store.loadCommits([onto, sourceTip, ...bases]);
  const ofTarget = reachableFrom(graph, [onto]);
  const sourceCommits = [...reachableFrom(graph, [sourceTip])].filter(
    (id) => id !== sourceTip && !ofTarget.has(id),
  );
  const treeIdOf = (id: string) => graph.get(id)?.treeId ?? [];
  const judgements: Judgement[] = [];
  for (const base of bases) {
    const trees = {
      base: store.commit(base).treeId,
      ours: store.commit(onto).treeId,
      theirs: store.commit(sourceTip).treeId,
      landed: commit.treeId,
    };
    const branches = {
      targetTreeIds: chain.filter((id) => id !== onto).flatMap(treeIdOf),
      sourceTreeIds: sourceCommits.flatMap(treeIdOf),
    };
    judgements.push(await judgeTrees(store, { trees, ...branches }, budget.caps));
  }
  return agreed(judgements);
}

function agreed([first, ...others]: Judgement[]): Judgement {
  if (first === undefined) return unknown('several_merge_bases');
  if (others.length === 0) return first;
  if (others.some(({ verdict }) => verdict !== first.verdict)) return unknown('several_merge_bases');
  return first.verdict === 'EXACT' ? { verdict: 'SAME_CHANGE', reason: 'several_merge_bases' } : first;
}
