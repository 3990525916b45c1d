import { ObjectStore } from '../changes/object-store';
import type { DecodedPack } from '../pack/decoded-pack';
import { isSound, type Judged, unknown, withoutStrangers } from './content-verdict';
import { judgeLanding, type Landing } from './judge-landing';
import type { OtherLandings } from './reported-landing';
import { type BringingCommit, judgeAgain, stillStands } from './still-stands';

/**
 * The verdict on another commit than the reported one, if another one brought the source.
 *
 * @param own the verdict on the reported commit, which is not sound
 * @throws RemoteFailure
 */
export async function judgeOthers(own: Judged, others: OtherLandings, landing: Landing): Promise<Judged> {
  const { certain, wasThere, reported, standing } = others;
  // A formatter may change every line of the source, so that none of them is found in the formatted commit.
  const isOwn = reported.brings || (own.verdict === 'UNKNOWN' && own.reason === 'layout');
  if (certain === undefined && isOwn && !wasThere) return own;
  const later = new LaterCommit(landing);
  const { sound, gone, isPart } = await judgeStanding(others, { landing, later });
  if (gone !== undefined && isPart) return judgeDropped(own, gone, later);
  if (sound?.verdict === 'EXACT') return sound;
  const found = certain ?? standing.find(({ brings }) => brings)?.commitId;
  if (found !== undefined && !(sound && sound.verdict !== 'UNKNOWN')) {
    const judged = await judgeBringing(found, landing);
    const dropped = isSound(judged) && (await later.findDropped([...others.parts, found]));
    if (dropped) return judgeDropped(own, dropped, later);
    return isBroughtAnyway(own, judged) ? own : judged;
  }
  if (gone !== undefined && !(sound && isSound(sound))) return judgeDropped(own, gone, later);
  if (sound !== undefined && !(reported.touches && sound.verdict === 'UNKNOWN')) return sound;
  return wasThere ? unknown('landing_not_found') : own;
}

/** The verdict on the commits before the reported one. */
interface StandingVerdict {
  /** The verdict on the first of them that is a landing; UNKNOWN if it may have decided something else. */
  sound?: Judged | undefined;
  /** A commit whose change is not whole in the reported one any more. Id. */
  gone?: string | undefined;
  /** Whether `gone` brought a part of the source. No other commit is then its landing. */
  isPart?: boolean;
}

/** Judges the commits before the reported one until one is EXACT. A commit whose change is gone is no landing. */
async function judgeStanding(
  { standing, parts }: OtherLandings,
  { landing, later }: { landing: Landing; later: LaterCommit },
): Promise<StandingVerdict> {
  let [sound, gone]: [Judged?, string?] = [];
  for (const { commitId, touches, brings } of standing) {
    const judged = await judgeBringing(commitId, landing);
    if (!isSound(judged)) continue;
    const part = await later.findDropped(parts);
    if (part !== undefined) return { gone: part, isPart: true };
    if (!(await later.has(commitId))) gone ??= commitId;
    else if (judged.verdict === 'EXACT') return { sound: judged };
    // A conflict that was decided in another commit may have nothing to do with this source.
    else if (touches) sound ??= brings ? judged : unknown('landing_not_found');
  }
  return { sound, gone };
}

/**
 * Whether merging the source into the target brings nothing, although the other commit lacks or alters a part of it. So
 * both sides made the same change, for example the same rename, and that commit is no landing of this source.
 */
function isBroughtAnyway(own: Judged, other: Judged): boolean {
  const bringsNothing = own.verdict === 'UNKNOWN' && own.reason === 'landing_not_found';
  return bringsNothing && other.verdict === 'DIVERGENT' && other.reason === 'source_change_missing';
}

/** The reported commit, asked for the changes of earlier ones. Each question is answered once, with objects fetched once. */
class LaterCommit {
  private readonly store: ObjectStore;
  private readonly answers = new Map<string, Promise<boolean>>();

  constructor(readonly landing: Landing) {
    this.store = new ObjectStore(landing.remote, [...landing.packs]);
  }

  /** Finds the first of some commits whose change is not whole in the reported one. @throws RemoteFailure */
  async findDropped(commitIds: readonly string[]): Promise<string | undefined> {
    for (const commitId of commitIds) {
      if (!(await this.has(commitId))) return commitId;
    }
    return undefined;
  }

  /** Whether the change of an earlier commit is whole in the reported one. @throws RemoteFailure */
  has(commitId: string): Promise<boolean> {
    const answer = this.answers.get(commitId) ?? this.stands(commitId, this.landing.commitId);
    this.answers.set(commitId, answer);
    return answer;
  }

  /** Whether the change of a commit is whole in the one before the reported commit. @throws RemoteFailure */
  async hadBefore(commitId: string): Promise<boolean> {
    const [onto] = this.landing.commit.parentIds;
    return onto !== undefined && (await this.stands(commitId, onto));
  }

  /** The verdict on the reported commit as if the earlier one was merged again. @throws RemoteFailure */
  async judgeAgain(commitId: string): Promise<Judged | undefined> {
    const { commitId: reported, commit, budget } = this.landing;
    const [onto] = commit.parentIds;
    if (onto === undefined) return undefined;
    return judgeAgain(this.broughtBy(commitId), { onto, commitId: reported }, { store: this.store, budget });
  }

  private stands(commitId: string, laterCommitId: string): Promise<boolean> {
    const { budget } = this.landing;
    return stillStands(this.broughtBy(commitId), laterCommitId, { store: this.store, budget });
  }

  private broughtBy(commitId: string): BringingCommit {
    const { sourceTip, anchorCommitId } = this.landing;
    // If the source tip itself is on the target, the landing is all commits since the anchor.
    return { commitId, before: commitId === sourceTip ? anchorCommitId : undefined };
  }
}

/**
 * The verdict if the reported commit lacks a part of what another commit brought. If that part was gone before, the reported
 * commit may have nothing to do with this source.
 */
async function judgeDropped(own: Judged, commitId: string, later: LaterCommit): Promise<Judged> {
  if (!(await later.hadBefore(commitId))) return unknown('landing_not_found');
  if (own.verdict !== 'UNKNOWN') return own;
  const again = await later.judgeAgain(commitId);
  // Other content of the commit may be reviewed elsewhere. The dropped part was whole in the commit before.
  return again?.verdict === 'DIVERGENT' && again.reason !== 'extra_content' ? again : own;
}

async function judgeBringing(landedCommitId: string, landing: Landing): Promise<Judged> {
  if (landedCommitId === landing.commitId) return judgeLanding(landing);
  const packs: DecodedPack[] = [];
  const store = new ObjectStore(landing.remote, packs);
  await store.loadCommits([landedCommitId]);
  const brought = { ...landing, commitId: landedCommitId, commit: store.commit(landedCommitId), packs };
  return { ...withoutStrangers(await judgeLanding(brought)), landedCommitId };
}
