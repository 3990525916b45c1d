import type { ApiClient } from '@plat/api-client';
import type { LandingStanding } from '@plat/verifier';
import { type LandingsHere, withLandings } from '../before-push/examine-landings';
import type { Said } from '../before-push/find-undone';
import type { LedgerComparison } from '../landings/check-ledger';
import { isInHistory, type TargetHistory } from '../landings/target-history';
import type { Progress } from '../terminal/progress';
import { nameLandings } from '../undone/name-landings';
import type { EarlierLanding } from '../undone/undone-report';
import { askStanding } from './ask-standing';
import { describeLanding } from './describe-landing';
import { chooseLandings, type ExaminedLanding } from './examined-landings';
import { judgeLosses, type Loss, type LossesBy } from './judge-losses';
import { landAgain } from './land-again';
import { LandingSources } from './landing-sources';
import { judgeRepairs } from './repairs';
import type { StandingLanding, StandingReport } from './standing-report';

interface Asked {
  /** Absent if the platform is not asked. */
  api: ApiClient | undefined;
  progress: Progress;
  /** File of the program that reads the repository; default: the client's own. */
  verifierWorker?: string | undefined;
}

type Answers = ReadonlyMap<string, LandingStanding>;

/** Reports whether the target still has the work of its landings. @throws Failure GIT_FAILED */
export async function reportStanding(
  compared: LedgerComparison,
  { api, progress, verifierWorker }: Asked,
): Promise<StandingReport> {
  const { history } = compared;
  const { git, tip } = history;
  const { landings, window } = chooseLandings(compared);
  const sources = new LandingSources(compared, api);
  const examining = withLandings(git, { tip, verifierWorker }, (here) =>
    examine(landings, { history, sources, here }),
  );
  const examined = await progress(`Examining ${landings.length} landings`, examining);
  const describing = describe(landings, examined, { history, sources, api });
  const reported = await progress('Reading whose they are', describing);
  const isLost = ({ state }: StandingLanding) => ['missing', 'undone', 'unknown'].includes(state);
  return { stands: window.isComplete && !reported.some(isLost), landings: reported, window };
}

interface Examined {
  answers: Answers;
  /** Keyed by the commit of the later landing. */
  losses: ReadonlyMap<string, LossesBy>;
  said: ReadonlyMap<string, Said>;
}

async function examine(
  landings: readonly ExaminedLanding[],
  { history, sources, here }: { history: TargetHistory; sources: LandingSources; here: LandingsHere },
): Promise<Examined> {
  const comparable = await chooseComparable(landings, history);
  const asked = comparable.flatMap(({ commitIds }) => {
    const [commitId, firstCommitId] = [commitIds[0], commitIds.at(-1)];
    return commitId === undefined ? [] : [{ commitId, firstCommitId }];
  });
  const answers = await askStanding(here, history.tip, asked);
  const losses = new Map<string, LossesBy>();
  const said = new Map<string, Said>();
  for (const [commitId, of] of lossesByLanding(comparable, answers)) {
    const sourceCommitId = await sources.sourceOf(commitId);
    const judged = await judgeLosses({ commitId, sourceCommitId }, of, here);
    const texts = await sources.textsOf(commitId);
    losses.set(commitId, await judgeRepairs(of, { judged, texts }, { git: history.git, here, sources }));
    said.set(commitId, { texts, revertedIds: judged.revertedIds });
  }
  return { answers, losses, said };
}

/** The landings whose commits are in the history of the tip. */
async function chooseComparable(
  landings: readonly ExaminedLanding[],
  history: TargetHistory,
): Promise<ExaminedLanding[]> {
  const isThere = await Promise.all(
    landings.map(async ({ commitIds: [commitId], row }) => {
      if (commitId === undefined || row?.verdict === 'NO_LANDING') return false;
      return isInHistory(history, commitId);
    }),
  );
  return landings.filter((_landing, index) => isThere[index]);
}

function lossesByLanding(landings: readonly ExaminedLanding[], answers: Answers): Map<string, Loss[]> {
  const found = new Map<string, Loss[]>();
  for (const { commitIds } of landings) {
    const [commitId = ''] = commitIds;
    const { broughtBy, lost = [] } = answers.get(commitId) ?? {};
    for (const place of lost) {
      const loss = { place, commitId, ofCommitIds: broughtBy === undefined ? commitIds : [broughtBy] };
      found.set(place.lostBy, [...(found.get(place.lostBy) ?? []), loss]);
    }
  }
  return found;
}

async function describe(
  landings: readonly ExaminedLanding[],
  { answers, losses, said }: Examined,
  { history, sources, api }: { history: TargetHistory; sources: LandingSources; api: ApiClient | undefined },
): Promise<StandingLanding[]> {
  const names = await nameAll({ answers, losses, said }, { history, sources, api });
  const reported: StandingLanding[] = [];
  for (const landing of landings) {
    const described = describeLanding(landing, answers.get(landing.commitIds[0] ?? ''), {
      losses,
      said,
      names,
    });
    const isToLand = described.state === 'missing' || described.state === 'undone';
    reported.push(
      isToLand ? { ...described, landAgain: await landAgain(history, landing.commitIds) } : described,
    );
  }
  return reported;
}

/** Names all landings by git and their receipts. The platform is asked only about those that were taken back, and by which. */
async function nameAll(
  { answers, losses }: Examined,
  {
    history: { git },
    sources,
    api,
  }: { history: TargetHistory; sources: LandingSources; api: ApiClient | undefined },
): Promise<Map<string, EarlierLanding>> {
  const isTaken = ({ lost }: LandingStanding) =>
    lost.some((place) => losses.get(place.lostBy)?.losses.get(place)?.finding !== undefined);
  const taken = [...answers.values()].filter(isTaken);
  const asked = new Set(
    taken.flatMap(({ commitId, lost }) => [commitId, ...lost.map(({ lostBy }) => lostBy)]),
  );
  const others = [...new Set([...answers.keys(), ...losses.keys()])].filter((id) => !asked.has(id));
  const names = new Map([
    ...(await nameLandings(git, others, undefined)),
    ...(await nameLandings(git, [...asked], api)),
  ]);
  return new Map(
    [...names].map(([commitId, name]) => {
      const row = sources.rowOf(commitId);
      return [
        commitId,
        { ...name, reviewId: row?.reviewId ?? name.reviewId, reviewName: row?.name ?? name.reviewName },
      ];
    }),
  );
}
