import type { LandingStanding } from '@plat/verifier';
import { isSaidRevert, type Said } from '../before-push/find-undone';
import { printableLine } from '../terminal/printable';
import type { EarlierLanding } from '../undone/undone-report';
import { unknownText } from '../undone/unknown-text';
import type { ExaminedLanding } from './examined-landings';
import type { LossesBy } from './judge-losses';
import type { StandingLanding, StandingState, TakenPlace } from './standing-report';

/** Facts about the landings that took parts of others, by commit. */
export interface KnownLosses {
  losses: ReadonlyMap<string, LossesBy>;
  said: ReadonlyMap<string, Said>;
  /** Names of earlier and later landings, by commit. */
  names: ReadonlyMap<string, EarlierLanding>;
}

type Sort = 'undone' | 'reverted' | 'edited' | 'unclear';

/** Describes a landing by what the target has lost of it. @param answer absent if it was not compared */
export function describeLanding(
  landing: ExaminedLanding,
  answer: LandingStanding | undefined,
  known: KnownLosses,
): StandingLanding {
  const { row } = landing;
  const places: Record<Sort, TakenPlace[]> = { undone: [], reverted: [], edited: [], unclear: [] };
  const reasons = new Set(answer?.unknown === undefined ? [] : [answer.unknown]);
  for (const lost of answer?.lost ?? []) {
    const { finding, unknown } = known.losses.get(lost.lostBy)?.losses.get(lost) ?? {
      unknown: 'not_computed',
    };
    const isReverted = isRevertedBy(lost.lostBy, landing, known);
    if (unknown !== undefined) reasons.add(unknown);
    const sort = isReverted ? 'reverted' : sortOf(finding?.certainty, unknown);
    const { path, in: file, firstLine, lastLine } = lost;
    const { kind, certainty, sourceCommitId } = finding ?? {};
    const by = known.names.get(lost.lostBy) ?? unnamed(lost.lostBy);
    places[sort].push({ path, in: file, firstLine, lastLine, kind, certainty, sourceCommitId, by });
  }
  const isGone = row?.verdict === 'NO_LANDING';
  const isUnknown = answer === undefined || reasons.size > 0 || answer.lostLeftOut !== undefined;
  return {
    state: isGone ? 'missing' : stateOf(places, isUnknown),
    ...ownFacts(landing, known),
    ...places,
    placesLeftOut: answer?.lostLeftOut,
    detail: answer === undefined ? row?.detail : [...reasons].map(reasonText).join('; ') || undefined,
  };
}

function ownFacts({ row, subject, commitIds }: ExaminedLanding, { names }: KnownLosses) {
  const [commitId] = commitIds;
  const name = names.get(commitId ?? '');
  return {
    reviewId: row?.reviewId ?? name?.reviewId,
    reviewName: printableLine(row?.name ?? name?.reviewName ?? subject ?? row?.reviewId ?? ''),
    commitId,
    author: name?.author,
    landedAt: name?.landedAt,
  };
}

function stateOf(places: Readonly<Record<Sort, readonly TakenPlace[]>>, isUnknown: boolean): StandingState {
  if (places.undone.length > 0) return 'undone';
  if (isUnknown) return 'unknown';
  if (places.reverted.length > 0) return 'reverted';
  return places.edited.length > 0 ? 'edited' : 'standing';
}

/** Removed lines are usual work if nothing else speaks against it. */
function sortOf(certainty: TakenPlace['certainty'], unknown: string | undefined): Sort {
  if (certainty !== undefined && certainty !== 'possible') return 'undone';
  return unknown === undefined ? 'edited' : 'unclear';
}

function isRevertedBy(lostBy: string, { commitIds }: ExaminedLanding, { said, names }: KnownLosses): boolean {
  const texts = said.get(lostBy);
  const earlier = names.get(commitIds[0] ?? '');
  if (texts === undefined || earlier === undefined) return false;
  return commitIds.some((commitId) => isSaidRevert({ ...earlier, commitId }, texts));
}

const unnamed = (commitId: string): EarlierLanding => {
  return { commitId, reviewName: '', author: '', landedAt: '' };
};

const TEXTS: Readonly<Record<string, string>> = {
  landed_long_ago: 'it landed more than 2,000 commits ago',
  text_not_comparable: 'a file is too large or too different to compare',
  too_many_landings: 'too many landings came between',
};

const reasonText = (reason: string): string => TEXTS[reason] ?? unknownText(reason);
