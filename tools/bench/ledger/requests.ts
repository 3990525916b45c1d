import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { load, type Round } from '../http/load';
import type { Stand } from '../http/stand';
import { getOwn, postBuild, type Workload } from '../http/workloads';
import { median } from '../median';
import { progress } from '../part';

const LOOK_MS = 100;
const MODES = ['off', 'on'] as const;
type Mode = (typeof MODES)[number];

export interface SealedRequests {
  name: string;
  off: number;
  on: number;
  /** Median of the ratios of two rounds, one after the other. */
  ratio: number;
}

export interface RequestsOptions {
  seconds: number;
  rounds: number;
  /** The variables of the audit service if it seals. */
  sealing: Record<string, string>;
  signal: AbortSignal;
}

/**
 * Measures audited requests while the audit service seals, and while it does not, in turns. The processes are
 * the same; only the audit service starts again for each round, before it is measured.
 */
export async function measureRequests(
  stand: Stand,
  owner: Client,
  options: RequestsOptions,
): Promise<SealedRequests[]> {
  const urls = {
    reviews: (await stand.startService('reviews')).url,
    builds: (await stand.startService('builds')).url,
  };
  const measured: SealedRequests[] = [];
  for (const workload of [await getOwn(stand.seed), await postBuild(stand.seed)]) {
    progress(`measuring ${workload.name}`);
    const token = await stand.token(workload.user);
    const measure = (mode: Mode) =>
      beside(stand, owner, {
        sealing: mode === 'on' ? options.sealing : {},
        run: () =>
          load({ url: urls[workload.service], token, seconds: options.seconds, next: workload.next }),
      });
    measured.push(await inTurns(workload, measure, options));
  }
  return measured;
}

async function inTurns(
  { name }: Workload,
  measure: (mode: Mode) => Promise<Round>,
  { rounds, signal }: RequestsOptions,
): Promise<SealedRequests> {
  const seen: Record<Mode, number[]> = { off: [], on: [] };
  // The first turn only warms up.
  for (let turn = 0; turn <= rounds; turn++) {
    for (const mode of turn % 2 === 0 ? MODES : [...MODES].reverse()) {
      signal.throwIfAborted();
      const { requestsPerSecond } = await measure(mode);
      if (turn > 0) seen[mode].push(requestsPerSecond);
    }
  }
  const ratio = median(seen.on.map((each, turn) => each / seen.off[turn]!));
  return { name, off: median(seen.off), on: median(seen.on), ratio };
}

/** Runs something while an audit service runs. */
async function beside(
  stand: Stand,
  owner: Client,
  { sealing, run }: { sealing: Record<string, string>; run(): Promise<Round> },
): Promise<Round> {
  const audit = await stand.startService('audit', sealing);
  try {
    if (Object.keys(sealing).length > 0) await waitForSealing(owner);
    return await run();
  } finally {
    await audit.stop();
  }
}

/** Waits until the rows of the rounds before are sealed, so that none of their work falls into this one. */
async function waitForSealing(owner: Client): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ done: boolean }>(
      'SELECT logs > 0 AND waiting < 256 AND catching_up = 0 AS done FROM ledger.figures()',
    );
    if (rows[0]!.done) return;
    await delay(LOOK_MS);
  }
}
