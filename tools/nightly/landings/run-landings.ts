import fc from 'fast-check';
import { embeddedVerifierConfig, type LandedContent, Verifier } from '@plat/verifier';
import type { UploadPackServer } from '../histories/upload-pack-server';
import { findAmbiguous } from './ambiguous';
import { corruptAll } from './corrupt';
import { serveFromMemory } from './memory-server';
import { mergeTarget } from './merged-target';
import { minimize } from './minimize';
import { type Operator, OPERATORS } from './operators';
import { type LandingPlan, landingPlans } from './plan';
import { makeScenes } from './scenes';
import { landSoundly, type Sound } from './sound';
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

/** One landing, and the verifier's verdict on it. */
interface Judged {
  numbered: NumberedPlan;
  /** `sound: <way>` or `corrupt: <operator>`; `ambiguous` if a wrong landing makes the same content. */
  kind: string;
  isClean: boolean;
  content: LandedContent;
}

interface NumberedPlan {
  number: number;
  plan: LandingPlan;
}

export interface LandingsFound {
  /** Reviews whose landings were all judged. */
  reviews: number;
  /** By kind: how often each verdict was returned, with its reason. */
  tally: Map<string, Map<string, number>>;
  /** Number of verdicts, and of those that are UNKNOWN. */
  verdicts: number;
  unknown: number;
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
  const found: LandingsFound = { reviews: 0, tally: new Map(), verdicts: 0, unknown: 0, wrong: [] };
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
export const countOf = ({ tally }: Pick<LandingsFound, 'tally'>, operator: Operator): number =>
  [...(tally.get(`corrupt: ${operator}`)?.values() ?? [])].reduce((sum, each) => sum + each, 0);

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

/** A report of a queue, with the merge before it if there is one. */
interface Reported {
  commitId: string;
  anchorCommitId?: string;
}

const reportOn = (commitId: string, anchorCommitId?: string): Reported =>
  anchorCommitId === undefined ? { commitId } : { commitId, anchorCommitId };

async function judgePlans(
  verifier: Verifier,
  plans: readonly NumberedPlan[],
  { operators, serve }: { operators: ReadonlySet<Operator>; serve: ServeRepository },
): Promise<Judged[]> {
  const workshop = await Workshop.open();
  try {
    const scenes = await makeScenes(
      workshop,
      plans.map(({ plan }) => plan),
    );
    await mergeTarget(workshop, scenes);
    const landed = await landSoundly(workshop, scenes);
    const sound = landed.filter((each) => each !== undefined);
    const ambiguous = await findAmbiguous(workshop, sound);
    const corrupt = await corruptAll(workshop, sound, operators);
    const branches = scenes.map(({ source }, index) => [`refs/heads/${index}/source`, source]);
    const server = await serve(workshop.directory, Object.fromEntries(branches));
    const ask = async (each: Sound, kind: string, asked: Reported): Promise<Judged> => {
      const index = scenes.indexOf(each.scene);
      const question = { remoteUrl: server.url, sourceBranch: `${index}/source`, ...asked };
      const content = await verifier.judgeContent(question);
      return { numbered: plans[index] as NumberedPlan, kind, isClean: each.isClean, content };
    };
    try {
      return await Promise.all([
        ...sound.map((each) =>
          ambiguous.has(each)
            ? ask(each, 'ambiguous', reportOn(each.reported))
            : ask(each, `sound: ${each.way}`, reportOn(each.reported, each.anchor)),
        ),
        ...corrupt.map(({ sound: each, operator, commitId, anchor }) =>
          ask(each, `corrupt: ${operator}`, reportOn(commitId, anchor)),
        ),
      ]);
    } finally {
      await server.close();
    }
  } finally {
    await workshop.remove();
  }
}

/** @returns whether the verdict is wrong */
function note(found: LandingsFound, { kind, isClean, content }: Judged): boolean {
  const answer = content.verdict === 'EXACT' ? 'EXACT' : `${content.verdict} ${content.reason}`;
  const answers = found.tally.get(kind) ?? new Map<string, number>();
  found.tally.set(kind, answers.set(answer, (answers.get(answer) ?? 0) + 1));
  found.verdicts += 1;
  if (content.verdict === 'UNKNOWN') found.unknown += 1;
  return isWrong(kind, content, isClean);
}

/** A wrong verdict with its plan, made as small as it can be. */
async function reportOf(
  { numbered, kind, content }: Judged,
  { verifier, run, found }: { verifier: Verifier; run: LandingsRun; found: LandingsFound },
): Promise<string> {
  const { number, plan } = numbered;
  const place = `${kind}: ${JSON.stringify(content)} (--seed ${run.seed} --only ${number})`;
  if (found.wrong.length >= MINIMIZED_MAX) return `${place}\n${JSON.stringify(plan)}`;
  const operators = new Set(OPERATORS.filter((operator) => kind === `corrupt: ${operator}`));
  const smallest = await minimize(plan, async (plans) => {
    const candidates = plans.map((candidate, at): NumberedPlan => ({ number: at, plan: candidate }));
    const judged = await judgePlans(verifier, candidates, { operators, serve: run.serve ?? serveFromMemory });
    const wrong = judged.filter((each) => each.kind === kind && isWrong(kind, each.content, each.isClean));
    return plans.map((_, at) => wrong.some((each) => each.numbered.number === at));
  });
  return `${place}\nsmallest plan: ${JSON.stringify(smallest)}`;
}

/** Ways in which a clean merge is exactly the tree that landed. */
const AS_MERGED = ['squash', 'merge', 'second landing', 'empty commit after', 'another commit after'];

function isWrong(kind: string, { verdict }: LandedContent, isClean: boolean): boolean {
  if (kind.startsWith('corrupt')) return verdict === 'EXACT' || verdict === 'SAME_CHANGE';
  if (!kind.startsWith('sound')) return verdict === 'EXACT';
  const isExact = isClean && AS_MERGED.includes(kind.slice('sound: '.length));
  return verdict === 'DIVERGENT' || (isExact && verdict !== 'EXACT');
}
