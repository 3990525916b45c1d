import type { Budget } from '../budget';
import { ObjectStore } from '../changes/object-store';
import { findDivergence } from '../history/divergence';
import { branchRef } from '../judge/branch-ref';
import { isObjectId } from '../pack/object-id';
import type { RemoteRepository } from '../protocol/remote-repository';
import { RemoteFailure } from '../remote-failure';
import { type Judgement, type LandedContent, unknown } from './content-verdict';
import { judgeLanding, type Landing } from './judge-landing';
import { findLandingCommit, findReportedLanding } from './landing-commit';

/** A landing that was verified; ids are 40 hex digits. */
export type ContentQuestion =
  /** Through the queue: the commit is known, the source is what its branch points at now. */
  | {
      commitId: string;
      sourceBranch: string;
      /** The merge before it in its queue. */
      anchorCommitId?: string;
    }
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
  const divergenceFrom = sourceTip === undefined ? noDivergence : divergencesOf(sourceTip, reading);
  const commitId =
    'commitId' in question
      ? question.commitId
      : await findLandingCommit({ ...reading, ...question, divergenceFrom });
  const source = sourceTip === undefined ? {} : { sourceTip };
  if (commitId === undefined || !isObjectId(commitId)) return { ...unknown('landing_not_found'), ...source };
  const store = new ObjectStore(reading.remote);
  await store.loadCommits([commitId]);
  const commit = store.commit(commitId);
  const [parentId] = commit.parentIds;
  const landed = { ...source, commitId, treeId: commit.treeId, ...(parentId !== undefined && { parentId }) };
  if (sourceTip === undefined) return { ...unknown('source_missing'), ...landed };
  try {
    const judged = await judgeOne(question, { ...reading, sourceTip, divergenceFrom, commitId, commit });
    return { ...judged, ...landed };
  } catch (failure) {
    if (failure instanceof RemoteFailure) return { ...unknown(failure.reason), ...landed };
    throw failure;
  }
}

/** The verdict on the commit that brought the source, which a report through the queue may have missed. */
async function judgeOne(
  question: ContentQuestion,
  landing: Landing,
): Promise<Judgement & { landedCommitId?: string }> {
  if (!('commitId' in question)) return withoutStrangers(await judgeLanding(landing));
  const { commitId, commit, remote } = landing;
  const { anchorCommitId } = question;
  if (anchorCommitId === commitId) return withoutStrangers(await judgeLanding(landing));
  const landedCommitId = await findReportedLanding({ commitId, commit, anchorCommitId }, landing);
  if (landedCommitId === undefined) return unknown('landing_not_found');
  if (landedCommitId === commitId) return judgeLanding(landing);
  const store = new ObjectStore(remote);
  await store.loadCommits([landedCommitId]);
  const brought = { ...landing, commitId: landedCommitId, commit: store.commit(landedCommitId) };
  return { ...(await judgeLanding(brought)), landedCommitId };
}

/**
 * A commit that nobody made for this review alone may hold more than it: whether that was reviewed elsewhere is not to
 * be told from here.
 */
function withoutStrangers(judgement: Judgement): Judgement {
  if (judgement.verdict !== 'DIVERGENT' || judgement.reason !== 'extra_content') return judgement;
  return { ...judgement, verdict: 'UNKNOWN' };
}

type DivergenceFrom = Landing['divergenceFrom'];

const noDivergence: DivergenceFrom = () => Promise.resolve({ relation: 'unrelated' });

/** Asks once for each commit of the target; what it received is there for whoever asks again. */
function divergencesOf(sourceTip: string, reading: Reading): DivergenceFrom {
  const known = new Map<string, ReturnType<DivergenceFrom>>();
  return (targetTip) => {
    const divergence = known.get(targetTip) ?? findDivergence({ ...reading, sourceTip, targetTip });
    known.set(targetTip, divergence);
    return divergence;
  };
}

async function sourceTipOf(question: ContentQuestion, remote: RemoteRepository): Promise<string | undefined> {
  if ('sourceTip' in question) return question.sourceTip;
  const ref = branchRef(question.sourceBranch);
  return ref === undefined ? undefined : (await remote.tips([ref])).get(ref);
}
