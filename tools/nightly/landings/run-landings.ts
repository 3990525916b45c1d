import fc from 'fast-check';
import { embeddedVerifierConfig, type LandedContent, Verifier } from '@plat/verifier';
import type { UploadPackServer } from '../histories/upload-pack-server';
import { corruptAll } from './corrupt';
import { serveFromMemory } from './memory-server';
import { mergeTarget } from './merged-target';
import { minimize } from './minimize';
import { type Operator, OPERATORS } from './operators';
import { type LandingPlan, landingPlans } from './plan';
import { makeScenes, type Scene } from './scenes';
import { landSoundly, type Sound } from './sound';
import { type Expected, witnessLandings } from './witness';
import { Workshop } from './workshop';

/** Plans that are drawn from one seed. */
const SAMPLE_SIZE = 40;
/** Samples that are made in one repository, with the same git processes. */
const SAMPLES_TOGETHER = 5;
/** A run that is wrong throughout says so soon. */
const MINIMIZED_MAX = 5;

/** Serves a repository over http, with these branches by full names with ids. */
export type ServeRepository = (
  directory: string,
  refs: Readonly<Record<string, string>>,
) => Promise<UploadPackServer>;

export interface LandingsRun {
  runs: number;
  seed: number;
  /** The number of the only plan to judge. */
  only?: number;
  /** The verifier's worker program. */
  workerFile: string;
  /** About how many landings are corrupted by each operator. Default: all possible ones. */
  perOperator?: number;
  /** Ends the run, which then returns what it has judged. */
  signal?: AbortSignal;
  serve?: ServeRepository;
}

/** One landing, the verifier's verdict on it, and the witness's. */
interface Judged {
  numbered: NumberedPlan;
  /** How it was made: `sound: <way>` or `corrupt: <operator>`. */
  kind: string;
  expected: Expected;
  content: LandedContent;
}

interface NumberedPlan {
  number: number;
  plan: LandingPlan;
}

/** How often each answer was returned, by what was asked. */
export type Tally = Map<string, Map<string, number>>;

export interface LandingsFound {
  /** Reviews whose landings were all judged. */
  reviews: number;
  /** The verdicts that the witness demands, by the way in which a landing was made. */
  made: Tally;
  /** By the witness's verdict and its rule: the verifier's verdicts with their reasons. */
  answered: Tally;
  verdicts: number;
  /** Verdicts that are UNKNOWN where the witness has another one. */
  unknown: number;
  /** Landings of which the principle leaves the verdict open. */
  open: number;
  wrong: string[];
}

/** Generates reviews, lands them soundly and corruptly, and asks for the verdict on each. */
export async function runLandings(
  run: LandingsRun,
  progress: (found: LandingsFound) => void = () => undefined,
): Promise<LandingsFound> {
  const { concurrency } = embeddedVerifierConfig;
  const patient = { ...concurrency, total: 2, perTenant: 2, waitingPerTenant: 100_000 };
  const caps = { ...embeddedVerifierConfig.caps, contentMs: 600_000 };
  const config = { ...embeddedVerifierConfig, caps, concurrency: patient };
  const verifier = new Verifier(config, { workerFile: run.workerFile });
  const counts = { reviews: 0, verdicts: 0, unknown: 0, open: 0 };
  const found: LandingsFound = { ...counts, made: new Map(), answered: new Map(), wrong: [] };
  // Ends the run at once, because all pending questions fail.
  run.signal?.addEventListener('abort', () => void verifier.close(), { once: true });
  try {
    for (const plans of plansOf(run)) {
      const making = { operators: operatorsFor(run, found), serve: run.serve ?? serveFromMemory };
      const judged = await judgePlans(verifier, plans, making);
      // The verifier is closing, so it has not computed all of these verdicts.
      if (run.signal?.aborted) break;
      for (const each of judged) {
        if (note(found, each)) found.wrong.push(await reportOf(each, { verifier, run, found }));
      }
      found.reviews += plans.length;
      progress(found);
    }
    return found;
  } catch (failure) {
    if (run.signal?.aborted !== true) throw failure;
    return found;
  } finally {
    await verifier.close();
  }
}

/** How many landings were corrupted by an operator. */
export const countOf = ({ made }: Pick<LandingsFound, 'made'>, operator: Operator): number =>
  [...(made.get(`corrupt: ${operator}`)?.values() ?? [])].reduce((sum, each) => sum + each, 0);

/** The operators that were not applied often enough yet, on which the run spends its remaining time. */
function operatorsFor({ perOperator = Infinity }: LandingsRun, found: LandingsFound): Set<Operator> {
  return new Set(OPERATORS.filter((operator) => countOf(found, operator) < perOperator));
}

function* plansOf({ runs, seed, only }: LandingsRun): Generator<NumberedPlan[]> {
  const sampled = (start: number) =>
    fc
      .sample(landingPlans, { numRuns: Math.min(SAMPLE_SIZE, runs - start), seed: seed + start })
      .map((plan, index): NumberedPlan => ({ number: start + index, plan }));
  if (only !== undefined) {
    yield sampled(only - (only % SAMPLE_SIZE)).filter(({ number }) => number === only);
    return;
  }
  let together: NumberedPlan[] = [];
  for (let start = 0; start < runs; start += SAMPLE_SIZE) {
    together.push(...sampled(start));
    if (together.length < SAMPLE_SIZE * SAMPLES_TOGETHER && start + SAMPLE_SIZE < runs) continue;
    yield together;
    together = [];
  }
}

/** A landing as its queue reports it. */
interface Reported {
  sound: Sound;
  kind: string;
  commitId: string;
}

interface Making {
  operators: ReadonlySet<Operator>;
  serve: ServeRepository;
  /** The kind of the only landings to judge. */
  only?: string;
}

async function judgePlans(
  verifier: Verifier,
  plans: readonly NumberedPlan[],
  { operators, serve, only }: Making,
): Promise<Judged[]> {
  const workshop = await Workshop.open();
  try {
    const scenes = await makeScenes(
      workshop,
      plans.map(({ plan }) => plan),
    );
    await mergeTarget(workshop, scenes);
    const all = await landEach(workshop, scenes, operators);
    const reported = all.filter(({ kind }) => only === undefined || kind === only);
    const branches = scenes.map(({ source }, index) => [`refs/heads/${index}/source`, source]);
    const server = await serve(workshop.directory, Object.fromEntries(branches));
    const ask = ({ sound: { scene, anchor }, commitId }: Reported) => {
      const question = { remoteUrl: server.url, sourceBranch: `${scenes.indexOf(scene)}/source`, commitId };
      return verifier.judgeContent(anchor === undefined ? question : { ...question, anchorCommitId: anchor });
    };
    try {
      const contents = await Promise.all(reported.map(ask));
      const expected = await witnessLandings(
        workshop,
        reported.map(({ sound: { scene, anchor }, commitId }) => ({
          sourceTip: scene.source,
          commitId,
          anchorCommitId: anchor,
        })),
      );
      return reported.map(({ sound: { scene }, kind }, index) => ({
        numbered: plans[scenes.indexOf(scene)] as NumberedPlan,
        kind,
        expected: expected[index] as Expected,
        content: contents[index] as LandedContent,
      }));
    } finally {
      await server.close();
    }
  } finally {
    await workshop.remove();
  }
}

/** Lands each review soundly, and with each fault. */
async function landEach(
  workshop: Workshop,
  scenes: readonly Scene[],
  operators: ReadonlySet<Operator>,
): Promise<Reported[]> {
  const sound = await landSoundly(workshop, scenes);
  const corrupt = await corruptAll(workshop, sound, operators);
  return [
    ...sound.map((each) => ({ sound: each, kind: `sound: ${each.way}`, commitId: each.reported })),
    ...corrupt.map(({ operator, ...each }) => ({ ...each, kind: `corrupt: ${operator}` })),
  ];
}

/** @returns whether the verdict is wrong */
function note(found: LandingsFound, judged: Judged): boolean {
  const { kind, content, expected } = judged;
  const answer = content.verdict === 'EXACT' ? 'EXACT' : `${content.verdict} ${content.reason}`;
  const verdicts = expected.verdicts.join(' or ');
  count(found.made, kind, verdicts);
  count(found.answered, `${verdicts}: ${expected.because}`, answer);
  found.verdicts += 1;
  if (expected.verdicts.length > 1) found.open += 1;
  if (content.verdict === 'UNKNOWN' && !expected.verdicts.includes('UNKNOWN')) found.unknown += 1;
  return isWrong(judged);
}

function count(tally: Tally, asked: string, answer: string): void {
  const answers = tally.get(asked) ?? new Map<string, number>();
  tally.set(asked, answers.set(answer, (answers.get(answer) ?? 0) + 1));
}

/** A wrong verdict with its plan, made as small as it can be. */
async function reportOf(
  { numbered, kind, content, expected }: Judged,
  { verifier, run, found }: { verifier: Verifier; run: LandingsRun; found: LandingsFound },
): Promise<string> {
  const { number, plan } = numbered;
  const demanded = `${expected.verdicts.join(' or ')} (${expected.because})`;
  const place = `${kind}, not ${demanded}: ${JSON.stringify(content)} (--seed ${run.seed} --only ${number})`;
  if (found.wrong.length >= MINIMIZED_MAX) return `${place}\n${JSON.stringify(plan)}`;
  const operators = new Set(OPERATORS.filter((operator) => kind === `corrupt: ${operator}`));
  const smallest = await minimize(plan, async (plans) => {
    const candidates = plans.map((candidate, at): NumberedPlan => ({ number: at, plan: candidate }));
    const making = { operators, serve: run.serve ?? serveFromMemory, only: kind };
    const wrong = (await judgePlans(verifier, candidates, making)).filter(isWrong);
    return plans.map((_, at) => wrong.some((each) => each.numbered.number === at));
  });
  return `${place}\nsmallest plan: ${JSON.stringify(smallest)}`;
}

/** The reasons for which the verifier may leave a verdict open, whatever it would be. */
const LIMITS: readonly string[] = ['too_tangled', 'several_merge_bases', 'remote_too_large', 'out_of_time'];

function isWrong({ content, expected }: Judged): boolean {
  if (expected.verdicts.includes(content.verdict)) return false;
  return content.verdict !== 'UNKNOWN' || !LIMITS.includes(content.reason);
}
