import { embeddedVerifierConfig, Verifier } from '@plat/verifier';
import { compareHistory, compareQueue, type Comparison, landingOf } from './comparison';
import { type Hiding, HIDINGS } from './hiding';
import { type Judged, judgeHistories } from './judge-histories';
import { type Kind, KINDS } from './kinds';

/** Number of histories that share a repository and its server. */
const BATCH_SIZE = 50;
/** Every second batch is served by a server that hides something, each way in turn. */
const HIDING_EVERY = 2;

export interface HistoriesRun {
  runs: number;
  seed: number;
  /** The number of the only history to report. Its whole batch is judged, because its histories share a server. */
  only?: number;
  /** The verifier's worker program. */
  workerFile: string;
}

export interface HistoriesFound {
  /** Counts of the comparisons, by condition and git's result. */
  tally: Map<string, number>;
  /** Number of histories of each kind. */
  kinds: Map<Kind, number>;
  /** False accepts and unexplained refusals, each with all that is needed to reproduce it. */
  wrong: string[];
}

/** Generates histories, batch by batch, and compares the verifier with the git command. */
export async function runHistories(
  { runs, seed, only, workerFile }: HistoriesRun,
  progress: (done: number) => void = () => undefined,
): Promise<HistoriesFound> {
  const { concurrency } = embeddedVerifierConfig;
  const patient = { ...concurrency, total: 2, perTenant: 2, waitingPerTenant: 2 * BATCH_SIZE };
  const verifier = new Verifier({ ...embeddedVerifierConfig, concurrency: patient }, { workerFile });
  const found: HistoriesFound = {
    tally: new Map(),
    kinds: new Map(KINDS.map((kind) => [kind, 0])),
    wrong: [],
  };
  try {
    for (let done = 0, batch = 0; done < runs; done += BATCH_SIZE, batch += 1) {
      if (only !== undefined && Math.floor(only / BATCH_SIZE) !== batch) continue;
      progress(done);
      const asked = { size: Math.min(BATCH_SIZE, runs - done), seed: seed + batch, hiding: hidingOf(batch) };
      for (const [index, judged] of (await judgeHistories(verifier, asked)).entries()) {
        const number = done + index;
        if (only === undefined || only === number) note(found, judged, { seed, number });
      }
    }
    return found;
  } finally {
    await verifier.close();
  }
}

function hidingOf(batch: number): Hiding {
  if (batch % HIDING_EVERY !== HIDING_EVERY - 1) return 'nothing';
  const [, ...others] = HIDINGS;
  return others[Math.floor(batch / HIDING_EVERY) % others.length]!;
}

function note(
  { tally, kinds, wrong }: HistoriesFound,
  judged: Judged,
  { seed, number }: { seed: number; number: number },
): void {
  const { history, queue, plan, hiding } = judged;
  for (const kind of judged.kinds) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const results: [name: string, comparison: Comparison, answer: unknown][] = [
    [`B, git: ${landingOf(history.truths)}`, compareHistory(judged), history],
    [`A, git: ${queue.truth}`, compareQueue(judged), queue],
  ];
  for (const [name, comparison, answer] of results) {
    const key = `${name}: ${comparison}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
    if (comparison === 'FALSE ACCEPT' || comparison === 'UNEXPLAINED REFUSAL') {
      wrong.push(
        `${key} (--seed ${seed} --only ${number}; the server hides ${hiding})\n${JSON.stringify(answer)}\n${JSON.stringify(plan)}`,
      );
    }
  }
}
