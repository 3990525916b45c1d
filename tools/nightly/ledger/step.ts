import { runSpec, type SpecPlace } from '../spec-step';
import type { NightlyStep } from '../step';

const RUNS = 10_000;
const IN_MEMORY: SpecPlace = { project: 'apps/plat', spec: 'verify-log.property' };
const ON_POSTGRESQL: SpecPlace = { project: 'apps/e2e', spec: 'sealed-log-rounds' };

/** Random sealed logs, sound and altered: exports in memory, and logs that are sealed, altered and read in a real database. */
export const ledgerStep: NightlyStep = {
  summary:
    '10,000 sealed logs in memory and 10,000 on PostgreSQL, sound and altered: all that is altered found, and nothing else',
  async run({ runs = RUNS, seed = Date.now() % 2 ** 31 }) {
    // At the same time, since each leaves a processor idle. A database's rounds wait most, so they are two processes.
    const half = Math.ceil(runs / 2);
    const rounds = [part(ON_POSTGRESQL, half, seed)];
    if (runs > half) rounds.push(part(ON_POSTGRESQL, runs - half, seed + half));
    const ended = await Promise.allSettled([part(IN_MEMORY, runs, seed), ...rounds]);
    const failed = ended.filter((part) => part.status === 'rejected');
    if (failed.length > 0) throw new Error(failed.map(({ reason }) => (reason as Error).message).join('\n'));
  },
};

const part = (place: SpecPlace, rounds: number, seed: number): Promise<void> =>
  runSpec(place, { LEDGER_ROUNDS: `${rounds}`, LEDGER_SEED: `${seed}` });
