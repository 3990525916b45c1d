import type { NightlyStep } from '../step';
import { startDatabases } from './database';
import { MUTANTS } from './mutants';
import { runInterleavings } from './run';
import { seedMutant } from './seed-mutant';

const OPERATIONS = 10_000;
const WORKERS = 12;
/** Seconds within which each seeded fault must be found. */
const SECONDS_PER_MUTANT = 60;
/** A mutant's run consists of many short ones, each judged at its end. */
const OPERATIONS_PER_LOOK = 1_000;

/** Thousands of requests at once on a few queues. */
export const interleavingsStep: NightlyStep = {
  summary: 'requests of all kinds at once on a few queues, judged by the log of moves',
  async run({ runs = OPERATIONS, seed = Date.now() % 2 ** 31 }) {
    const databases = await startDatabases();
    try {
      const database = await databases.create('interleavings');
      const result = await runInterleavings({ ...database, seed, operations: runs, workers: WORKERS });
      process.stdout.write(
        `  seed ${seed}: ${result.operations} requests, ${result.moves} moves, judged in ` +
          `${result.judgedMs.toFixed(0)} ms, ${result.faults.length} faults\n`,
      );
      if (result.faults.length > 0) throw new Error(result.faults.slice(0, 20).join('\n'));
    } finally {
      await databases.stop();
    }
  },
};

/** Seeds faults into the database one by one, to check that the judge notices them. */
export const mutantsStep: NightlyStep = {
  summary: `seeded faults of the database, each to be found within ${SECONDS_PER_MUTANT} s`,
  async run({ seed = 1 }) {
    const databases = await startDatabases();
    const missed: string[] = [];
    try {
      for (const [place, mutant] of MUTANTS.entries()) {
        const startedAt = performance.now();
        const found = await lookFor(databases, { mutant, place, seed });
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
        process.stdout.write(
          `  ${found ? 'found ' : 'MISSED'} ${seconds.padStart(5)} s  ${mutant.name}: ${found}\n`,
        );
        if (found === undefined) missed.push(mutant.name);
      }
    } finally {
      await databases.stop();
    }
    process.stdout.write(`  ${MUTANTS.length - missed.length} of ${MUTANTS.length} seeded faults found\n`);
    if (missed.length > 0) throw new Error(`not found: ${missed.join(', ')}`);
  },
};

/** The first fault that the judge reports for a mutant. @returns undefined if it reports none in time */
async function lookFor(
  databases: Awaited<ReturnType<typeof startDatabases>>,
  { mutant, place, seed }: { mutant: (typeof MUTANTS)[number]; place: number; seed: number },
): Promise<string | undefined> {
  const end = performance.now() + SECONDS_PER_MUTANT * 1000;
  for (let look = 0; performance.now() < end; look++) {
    const database = await databases.create(`mutant_${place}_${look}`);
    await seedMutant(database.ownerUrl, mutant);
    const { faults } = await runInterleavings({
      ...database,
      seed: seed + look,
      operations: OPERATIONS_PER_LOOK,
      workers: WORKERS,
      timeLimitMs: end - performance.now(),
    });
    if (faults.length > 0) return faults[0];
  }
  return undefined;
}
