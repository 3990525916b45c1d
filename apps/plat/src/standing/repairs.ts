import type { LostPlace } from '@plat/verifier';
import type { LandingsHere } from '../before-push/examine-landings';
import type { UndoneWork } from '../before-push/find-undone';
import type { Git } from '../git/git';
import { nameLandings } from '../undone/name-landings';
import type { JudgedLoss, Loss, LossesBy } from './judge-losses';
import type { LandingSources } from './landing-sources';

/** Days of landings that a landing may have taken back. */
const DAYS = 90;
const COMMIT_DIGITS = 10;
const LANDS_AGAIN = /\b(?:cherry picked from commit|re-?lands?|re-?appl(?:y|ies))\b/i;

type Finding = UndoneWork['findings'][number];

interface Reading {
  git: Git;
  here: Pick<LandingsHere, 'findUndoneWork'>;
  sources: LandingSources;
}

/**
 * Keeps as usual work what a later landing repaired: a landing that took back earlier work looks undone once that work has
 * landed again. Only the words of the later landing show that: another one that undoes it by accident does the same.
 *
 * @param losses by the later landing
 * @param texts of the later landing
 */
export async function judgeRepairs(
  losses: readonly Loss[],
  { judged, texts }: { judged: LossesBy; texts: readonly string[] },
  reading: Reading,
): Promise<LossesBy> {
  const repaired = new Map<LostPlace, JudgedLoss>(judged.losses);
  for (const { place, commitId } of losses) {
    const { finding } = judged.losses.get(place) ?? {};
    if (finding === undefined || !place.isReplacement || !place.isRestored) continue;
    const taken = await findTaken(commitId, place, reading);
    if (await isAnyAgain(taken, texts, reading)) repaired.set(place, {});
  }
  return { ...judged, losses: repaired };
}

/** The work that a landing took back at a place. */
async function findTaken(
  commitId: string,
  { path }: LostPlace,
  { here, sources }: Reading,
): Promise<Finding[]> {
  const sourceCommitId = await sources.sourceOf(commitId);
  const work = await here.findUndoneWork({ commitId, sourceCommitId, days: DAYS });
  return 'unknown' in work ? [] : work.findings.filter((finding) => finding.path === path);
}

async function isAnyAgain(
  taken: readonly Finding[],
  texts: readonly string[],
  { git }: Reading,
): Promise<boolean> {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => LANDS_AGAIN.test(line));
  const names = await nameLandings(git, [...new Set(taken.map(({ commitId }) => commitId))], undefined);
  return [...names.values()].some(({ commitId, reviewName }) =>
    lines.some((line) => line.includes(commitId.slice(0, COMMIT_DIGITS)) || line.includes(`"${reviewName}"`)),
  );
}
