import { Random } from '@plat/testing';
import { DriveStand, type PlatRun } from '../drive-stand';
import { disturbDrives, type Round } from './disturbances';
import { recover } from './recovery';
import { faultsOf, leftovers, liesOf } from './round-checks';
import { RoundWorld } from './round-world';

/** Rounds for which one repository is used. */
const ROUNDS_A_WORLD = 5;
/** Rounds after which the counts are printed. */
const ROUNDS_A_LINE = 20;

interface RoundsInput {
  seed: number;
  rounds: number;
}

interface RoundsCounts {
  clients: number;
  /** Drives of recoveries that stopped, and printed a way out. */
  stopped: number;
  /** Drives of recoveries that merged. */
  merged: number;
  seconds: number;
}

/** Runs rounds one after the other, and prints their results. @throws Error with the promises that a round broke */
export async function runRounds({ seed, rounds }: RoundsInput): Promise<RoundsCounts> {
  const stand = await DriveStand.set();
  const random = new Random(seed);
  const counts: RoundsCounts = { clients: 0, stopped: 0, merged: 0, seconds: 0 };
  const begun = performance.now();
  try {
    let world: RoundWorld | undefined;
    for (let at = 0; at < rounds; at += 1) {
      if (at % ROUNDS_A_WORLD === 0) world = await RoundWorld.create(stand, `round-${at}`, random);
      const round: Round = { stand, world: world!, random, started: [] };
      const runs = await runRound(round).catch((error: unknown) => {
        const what = error instanceof Error ? error.message : String(error);
        throw new Error(`seed ${seed}, round ${at}, gate in ${world!.gatePlace}: ${what}`);
      });
      counts.clients += round.started.length + runs.length;
      counts.stopped += runs.filter(({ stdout }) => stdout.includes('exitCode')).length;
      counts.merged += runs.filter(({ stdout }) => stdout.includes('"MERGED"')).length;
      counts.seconds = (performance.now() - begun) / 1000;
      if ((at + 1) % ROUNDS_A_LINE === 0 || at + 1 === rounds) {
        process.stdout.write(describeRounds({ seed, rounds: at + 1 }, counts));
      }
    }
  } finally {
    await stand.strike();
  }
  return counts;
}

/** @throws Error with the promises that the round broke */
async function runRound(round: Round): Promise<PlatRun[]> {
  const { stand, world, random } = round;
  for (let count = 1 + Math.floor(random.next() * 2); count > 0; count -= 1) await world.propose(random);
  await disturbDrives(round);
  stand.proxy.answerPages(0);
  stand.proxy.answerAll();
  requireNone([...(await faultsOf(world)), ...(await liesOf(world, round.started))], []);
  const runs = await recover(round);
  requireNone([...(await faultsOf(world)), ...(await leftovers(world))], runs);
  return runs;
}

function requireNone(faults: readonly string[], runs: readonly PlatRun[]): void {
  if (faults.length === 0) return;
  throw new Error([...faults, ...runs.map(({ stdout }) => stdout)].join('\n'));
}

function describeRounds({ seed, rounds }: RoundsInput, counts: RoundsCounts): string {
  const { clients, stopped, merged, seconds } = counts;
  const each = (seconds / rounds).toFixed(1);
  return `  seed ${seed}: ${rounds} rounds of ${each} s, ${clients} clients; after them ${stopped} drives stopped with a way out, ${merged} merged\n`;
}
