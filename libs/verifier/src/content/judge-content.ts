import type { Budget } from '../budget';
import { readEarlyChanges } from '../changes/early-changes';
import { findLandingCommit } from '../changes/landing-commit';
import { anchoredBelow } from '../changes/target-line';
import { type Asked, findDivergence } from '../history/divergence';
import { ObjectStore } from '../objects/object-store';
import type { DecodedPack } from '../pack/decoded-pack';
import { isObjectId } from '../pack/object-id';
import { branchRef } from '../protocol/branch-ref';
import type { RemoteRepository } from '../protocol/remote-repository';
import { RemoteFailure } from '../remote-failure';
import { type LandedContent, unknown, withPrintablePaths } from './content-verdict';
import { judgeLanding } from './judge-landing';
import type { Landing } from './merge-reading';
import { judgeReported } from './reported-landing';

/** A verified landing. Ids are 40 hex digits. */
export type ContentQuestion =
  /** A landing through the queue: the commit is known, and the source is the current tip of its branch. */
  | {
      commitId: string;
      sourceBranch: string;
      /** The branch on which it landed. If the source's own tip was reported, this branch shows how it came there. */
      targetBranch?: string;
      /** The merge before it in its queue. */
      anchorCommitId?: string;
    }
  /** Reconciled: both tips are those of the landing's verdict, and the commit has to be found. */
  | { targetTip: string; sourceTip: string };

interface Reading {
  remote: RemoteRepository;
  budget: Budget;
}

/**
 * Judges whether a verified landing has the reviewed content. The principle is git's merge and nothing else: the recipe's merge
 * of the source onto the commit before the landed one is compared with the landed tree (docs/verification.md).
 *
 * @throws RemoteFailure if not even the landed commit can be read
 */
export async function judgeContent(question: ContentQuestion, reading: Reading): Promise<LandedContent> {
  const { sourceTip, targetTip } = await readTips(question, reading.remote);
  const packs: DecodedPack[] = [];
  const divergenceFrom = sourceTip === undefined ? noDivergence : divergencesOf(sourceTip, reading, packs);
  const commitId =
    'commitId' in question
      ? question.commitId
      : await findLandingCommit({ ...reading, ...question, divergenceFrom });
  const source = sourceTip === undefined ? {} : { sourceTip };
  if (commitId === undefined || !isObjectId(commitId)) return { ...unknown('landing_not_found'), ...source };
  const store = new ObjectStore(reading.remote, packs);
  await store.loadCommits([commitId]);
  const commit = store.commit(commitId);
  const [parentId] = commit.parentIds;
  const landed = { ...source, commitId, treeId: commit.treeId, parentId };
  if (sourceTip === undefined) return { ...unknown('source_missing'), ...landed };
  try {
    const landing = { ...reading, sourceTip, divergenceFrom, commitId, commit, packs };
    const judged =
      'commitId' in question
        ? await judgeReported({ ...landing, targetTip, ...readAnchor(question, reading) })
        : await judgeLanding(landing);
    return { ...withPrintablePaths(judged), ...landed };
  } catch (failure) {
    if (failure instanceof RemoteFailure) return { ...unknown(failure.reason), ...landed };
    throw failure;
  }
}

function readAnchor({ anchorCommitId }: { anchorCommitId?: string }, { remote }: Reading) {
  return { anchorCommitId, anchoredBelow: anchoredBelow(anchorCommitId, remote) };
}

type DivergenceFrom = Landing['divergenceFrom'];

const noDivergence: DivergenceFrom = () => Promise.resolve({ relation: 'unrelated' });

/** Computes the divergence once for each commit of the target. */
function divergencesOf(sourceTip: string, reading: Reading, fetched: readonly DecodedPack[]): DivergenceFrom {
  const known = new Map<string, ReturnType<DivergenceFrom>>();
  return (targetTip) => {
    const sides = { ...reading, sourceTip, targetTip, fetched };
    const readEarly: Asked['readEarly'] = (ahead, parted) => readEarlyChanges(sides, ahead, parted);
    const divergence = known.get(targetTip) ?? findDivergence({ ...sides, readEarly });
    known.set(targetTip, divergence);
    return divergence;
  };
}

/** The tips of the branches, as far as they exist. */
async function readTips(
  question: ContentQuestion,
  remote: RemoteRepository,
): Promise<{ sourceTip?: string | undefined; targetTip?: string | undefined }> {
  if ('sourceTip' in question) return question;
  const refs = [question.sourceBranch, question.targetBranch].map((name) => name && branchRef(name));
  const tips = await remote.tips(refs.flatMap((ref) => ref || []));
  const [sourceTip, targetTip] = refs.map((ref) => (ref ? tips.get(ref) : undefined));
  return { sourceTip, targetTip };
}
