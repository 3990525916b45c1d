import { embeddedVerifierConfig, Verifier, type LandedContent } from '@plat/verifier';
import fc from 'fast-check';
import { serveByOneUploadPack } from '../histories/upload-pack-server';
import { corruptAll } from './corrupt';
import { landingPlans, type LandingPlan } from './plan';
import { landAll, makeScenes } from './scenes';
import { landSoundly, type Sound } from './sound';
import { Workshop } from './workshop';

const BATCH_SIZE = 40;

export interface LandingsRun {
  runs: number;
  seed: number;
  /** The number of the only plan to tell of. */
  only?: number;
  /** The verifier's worker program. */
  workerFile: string;
}

/** What one landing is, and what the verifier says of it. */
interface Judged {
  number: number;
  /** `sound: <way>` or `corrupt: <operator>`; `ambiguous` where a wrong base would have made the same. */
  kind: string;
  isClean: boolean;
  content: LandedContent;
}

export interface LandingsFound {
  /** By kind: how often each verdict came out, with its reason. */
  tally: Map<string, Map<string, number>>;
  wrong: string[];
}

/** Generates reviews, lands them soundly and not, and asks for the verdict on each. */
export async function runLandings(
  { runs, seed, only, workerFile }: LandingsRun,
  tell: (done: number) => void = () => undefined,
): Promise<LandingsFound> {
  const { concurrency } = embeddedVerifierConfig;
  const patient = { ...concurrency, total: 2, perTenant: 2, waitingPerTenant: 100_000 };
  const caps = { ...embeddedVerifierConfig.caps, contentMs: 600_000 };
  const verifier = new Verifier({ ...embeddedVerifierConfig, caps, concurrency: patient }, { workerFile });
  const found: LandingsFound = { tally: new Map(), wrong: [] };
  try {
    for (let done = 0; done < runs; done += BATCH_SIZE) {
      if (only !== undefined && Math.floor(only / BATCH_SIZE) * BATCH_SIZE !== done) continue;
      tell(done);
      const size = Math.min(BATCH_SIZE, runs - done);
      const plans = fc.sample(landingPlans, { numRuns: size, seed: seed + done });
      for (const judged of await judgePlans(verifier, plans)) {
        const number = done + judged.number;
        if (only === undefined || only === number) note(found, { ...judged, number }, { seed, plans });
      }
    }
    return found;
  } finally {
    await verifier.close();
  }
}

async function judgePlans(verifier: Verifier, plans: readonly LandingPlan[]): Promise<Judged[]> {
  const workshop = await Workshop.open();
  try {
    const scenes = await makeScenes(workshop, plans);
    const landed = await landSoundly(workshop, scenes);
    const sound = landed.filter((each) => each !== undefined);
    const ambiguous = await findAmbiguous(workshop, sound);
    const corrupt = await corruptAll(workshop, sound);
    await workshop.branch(
      Object.fromEntries(scenes.map(({ source }, number) => [`${number}/source`, source])),
    );
    const server = await serveByOneUploadPack(workshop.directory);
    const ask = async (each: Sound, kind: string, commitId: string): Promise<Judged> => {
      const number = scenes.indexOf(each.scene);
      const anchor = kind.startsWith('sound') && each.anchor ? { anchorCommitId: each.anchor } : {};
      const question = { remoteUrl: server.url, commitId, sourceBranch: `${number}/source`, ...anchor };
      return { number, kind, isClean: each.isClean, content: await verifier.judgeContent(question) };
    };
    try {
      return await Promise.all([
        ...sound.map((each) =>
          ask(each, ambiguous.has(each) ? 'ambiguous' : `sound: ${each.way}`, each.reported),
        ),
        ...corrupt.map((each) => ask(each.sound, `corrupt: ${each.operator}`, each.commitId)),
      ]);
    } finally {
      await server.close();
    }
  } finally {
    await workshop.remove();
  }
}

/** Landings that a squash on a wrong base, decided for the source, would have made as well: nobody can tell. */
async function findAmbiguous(workshop: Workshop, sound: readonly Sound[]): Promise<ReadonlySet<Sound>> {
  const decided = sound.filter(({ isClean }) => !isClean);
  const older = decided.flatMap((each) => each.older.map((ours) => ({ each, ours })));
  const parents = await workshop.treesOf(decided.map(({ parent }) => parent));
  const trees = await workshop.treesOf(older.map(({ ours }) => ours));
  const made = await landAll(
    workshop,
    older.map(({ each, ours }) => ({
      ours,
      theirs: each.scene.source,
      parents: [ours],
      resolution: 'the source',
      number: 0,
    })),
  );
  return new Set(
    older.flatMap(({ each }, index) => {
      const isParent = trees[index] === parents[decided.indexOf(each)];
      return !isParent && made[index]?.tree === each.tree ? [each] : [];
    }),
  );
}

function note(
  { tally, wrong }: LandingsFound,
  { number, kind, isClean, content }: Judged,
  { seed, plans }: { seed: number; plans: readonly LandingPlan[] },
): void {
  const answer = content.verdict === 'EXACT' ? 'EXACT' : `${content.verdict} ${content.reason}`;
  const answers = tally.get(kind) ?? new Map<string, number>();
  tally.set(kind, answers.set(answer, (answers.get(answer) ?? 0) + 1));
  if (!isWrong(kind, content, isClean)) return;
  const plan = JSON.stringify(plans[number % BATCH_SIZE]);
  wrong.push(`${kind}: ${JSON.stringify(content)} (--seed ${seed} --only ${number})\n${plan}`);
}

/** Ways in which a clean merge is the very tree that landed. */
const AS_MERGED = ['squash', 'merge', 'second landing', 'empty commit after', 'another commit after'];

function isWrong(kind: string, { verdict }: LandedContent, isClean: boolean): boolean {
  if (kind.startsWith('corrupt')) return verdict === 'EXACT' || verdict === 'SAME_CHANGE';
  if (!kind.startsWith('sound')) return verdict === 'EXACT';
  const isExact = isClean && AS_MERGED.includes(kind.slice('sound: '.length));
  return verdict === 'DIVERGENT' || (isExact && verdict !== 'EXACT');
}
