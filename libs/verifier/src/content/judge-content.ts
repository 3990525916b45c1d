import type { Budget } from '../budget';
import { readEarlyChanges } from '../changes/early-changes';
import { ObjectStore } from '../changes/object-store';
import { type Asked, findDivergence } from '../history/divergence';
import type { DecodedPack } from '../pack/decoded-pack';
import { isObjectId } from '../pack/object-id';
import { branchRef } from '../protocol/branch-ref';
import type { RemoteRepository } from '../protocol/remote-repository';
import { RemoteFailure } from '../remote-failure';
import { type Judgement, type LandedContent, unknown, type Whereabouts } from './content-verdict';
import { judgeLanding, type Landing } from './judge-landing';
import { findLandingCommit } from './landing-commit';
import { findOtherLandings, type OtherLandings } from './reported-landing';
import { type BringingCommit, judgeAgain, stillStands } from './still-stands';

/** A verified landing. Ids are 40 hex digits. */
export type ContentQuestion =
  /** Through the queue: the commit is known, and the source is the current tip of its branch. */
  | {
      commitId: string;
      sourceBranch: string;
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
 * Judges whether a verified landing has the reviewed content: it merges the source onto the landed commit's parent
 * again and compares the result with the landed tree.
 *
 * @throws RemoteFailure if not even the landed commit can be read
 */
export async function judgeContent(question: ContentQuestion, reading: Reading): Promise<LandedContent> {
  const sourceTip = await sourceTipOf(question, reading.remote);
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
    const asked = { ...reading, sourceTip, divergenceFrom, commitId, commit, packs };
    const { isBesidesOnly: _, ...judged }: Judged & Whereabouts = await judgeOne(question, asked);
    return { ...judged, ...landed };
  } catch (failure) {
    if (failure instanceof RemoteFailure) return { ...unknown(failure.reason), ...landed };
    throw failure;
  }
}

type Judged = Judgement & { landedCommitId?: string };

/** The verdict on the commit that brought the source, which may differ from the reported one. */
async function judgeOne(question: ContentQuestion, found: Landing): Promise<Judged> {
  if (!('commitId' in question)) return withoutStrangers(await judgeLanding(found));
  const { commitId, commit } = found;
  const { anchorCommitId } = question;
  const landing = { ...found, anchorCommitId };
  if (anchorCommitId === commitId) return withoutStrangers(await judgeLanding(landing));
  const own = await judgeLanding(landing);
  if (isSound(own)) return own;
  const others = await findOtherLandings({ commitId, commit, anchorCommitId }, landing);
  return judgeOthers(own, others, landing);
}

/** The verdict on another commit than the reported one, if another one brought the source. */
async function judgeOthers(own: Judged, others: OtherLandings, landing: Landing): Promise<Judged> {
  const { certain, wasThere, reported, standing, parts } = others;
  // A formatter may change every line of the source, so that none of them is found in the formatted commit.
  const isOwn = reported.brings || (own.verdict === 'UNKNOWN' && own.reason === 'layout');
  if (certain === undefined && isOwn && !wasThere) return own;
  const bringing = standing.filter(({ brings }) => brings);
  let sound: Judged | undefined;
  for (const { commitId, touches, brings } of standing) {
    const judged = await judgeBringing(commitId, landing);
    const dropped = isSound(judged) && (await findDropped([commitId, ...parts], landing));
    if (dropped) return judgeDropped(own, dropped, landing);
    if (judged.verdict === 'EXACT') return judged;
    // A conflict that was decided in another commit may have nothing to do with this source.
    if (isSound(judged) && touches) sound ??= brings ? judged : unknown('landing_not_found');
  }
  const found = certain ?? bringing[0]?.commitId;
  if (found !== undefined && !(sound && sound.verdict !== 'UNKNOWN')) {
    const judged = await judgeBringing(found, landing);
    const dropped = isSound(judged) && (await findDropped([found, ...parts], landing));
    if (dropped) return judgeDropped(own, dropped, landing);
    return isBroughtAnyway(own, judged) ? own : judged;
  }
  if (sound !== undefined && !(reported.touches && sound.verdict === 'UNKNOWN')) return sound;
  return wasThere ? unknown('landing_not_found') : own;
}

/**
 * Whether merging the source into the target brings nothing, although the other commit lacks or alters a part of it. So
 * both sides made the same change, for example the same rename, and that commit is no landing of this source.
 */
function isBroughtAnyway(own: Judged, other: Judged): boolean {
  const bringsNothing = own.verdict === 'UNKNOWN' && own.reason === 'landing_not_found';
  return bringsNothing && other.verdict === 'DIVERGENT' && other.reason === 'source_change_missing';
}

/** The first of some commits whose change is not whole in the reported one. */
async function findDropped(commitIds: readonly string[], landing: Landing): Promise<string | undefined> {
  for (const commitId of new Set(commitIds)) {
    if (!(await standsIn(landing.commitId, commitId, landing))) return commitId;
  }
  return undefined;
}

/** Whether the change of a commit that brought the source is whole in a later commit. */
const standsIn = (laterCommitId: string, commitId: string, landing: Landing): Promise<boolean> =>
  stillStands(broughtBy(commitId, landing), laterCommitId, landing);

function broughtBy(commitId: string, { sourceTip, anchorCommitId }: Landing): BringingCommit {
  // If the source tip itself is on the target, the landing is all commits since the anchor.
  return { commitId, before: commitId === sourceTip ? anchorCommitId : undefined };
}

/**
 * The verdict if the reported commit lacks a part of what another commit brought. If that part was gone before, the reported
 * commit may have nothing to do with this source.
 */
async function judgeDropped(own: Judged, commitId: string, landing: Landing): Promise<Judged> {
  const [onto] = landing.commit.parentIds;
  if (onto === undefined || !(await standsIn(onto, commitId, landing))) return unknown('landing_not_found');
  if (own.verdict !== 'UNKNOWN') return own;
  const again = await judgeAgain(broughtBy(commitId, landing), { ...landing, onto }, landing);
  // What the commit brought besides may be reviewed elsewhere, but what it dropped was whole just before.
  return again?.verdict === 'DIVERGENT' && again.reason !== 'extra_content' ? again : own;
}

const isSound = ({ verdict }: Judged): boolean => verdict === 'EXACT' || verdict === 'SAME_CHANGE';

async function judgeBringing(landedCommitId: string, landing: Landing): Promise<Judged> {
  if (landedCommitId === landing.commitId) return judgeLanding(landing);
  const packs: DecodedPack[] = [];
  const store = new ObjectStore(landing.remote, packs);
  await store.loadCommits([landedCommitId]);
  const brought = { ...landing, commitId: landedCommitId, commit: store.commit(landedCommitId), packs };
  return { ...withoutStrangers(await judgeLanding(brought)), landedCommitId };
}

/**
 * A commit that was not made for this review alone may hold more than the review. Whether the rest was reviewed
 * elsewhere cannot be determined here, so such content makes the verdict UNKNOWN.
 */
function withoutStrangers({ isBesidesOnly, ...judgement }: Judgement & Whereabouts): Judgement {
  return isBesidesOnly
    ? ({ ...judgement, verdict: 'UNKNOWN', reason: 'extra_content' } as Judgement)
    : judgement;
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

async function sourceTipOf(question: ContentQuestion, remote: RemoteRepository): Promise<string | undefined> {
  if ('sourceTip' in question) return question.sourceTip;
  const ref = branchRef(question.sourceBranch);
  return ref === undefined ? undefined : (await remote.tips([ref])).get(ref);
}
