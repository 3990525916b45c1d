import { Random } from '@plat/testing';
import { DriveStand } from '../drive-stand';
import { disturbedDrives, type Round } from './disturbances';
import { recover } from './recovery';
import { faultsOf, leftovers, liesOf } from './round-checks';
import { RoundWorld } from './round-world';

/** `npm run nightly -- drive` runs more of them. */
const ROUNDS = Number(process.env.DRIVE_ROUNDS ?? 4);
/** The same disturbances in every run; the nightly tests use new ones. */
const SEED = Number(process.env.DRIVE_SEED ?? 1);
/** Rounds for which one repository is used. */
const ROUNDS_A_WORLD = 5;

jest.setTimeout(60_000 + ROUNDS * 60_000);

it(`keeps its promises through ${ROUNDS} disturbed rounds of two machines and three checkouts`, async () => {
  const stand = await DriveStand.set();
  const random = new Random(SEED);
  const counts = { drives: 0, stopped: 0, merged: 0 };
  try {
    let world: RoundWorld | undefined;
    for (let at = 0; at < ROUNDS; at += 1) {
      if (at % ROUNDS_A_WORLD === 0) world = await RoundWorld.create(stand, `round-${at}`);
      const round: Round = { stand, world: world!, random, started: [] };
      for (let count = 1 + Math.floor(random.next() * 2); count > 0; count -= 1) await world!.propose(random);
      await disturbedDrives(round);
      stand.proxy.answerPages(0);
      stand.proxy.answerAll();
      const during = [...(await faultsOf(world!)), ...(await liesOf(world!, round.started))];
      expect({ seed: SEED, round: at, faults: during }).toEqual({ seed: SEED, round: at, faults: [] });
      const runs = await recover(world!);
      const after = [...(await faultsOf(world!)), ...(await leftovers(world!))];
      expect({ seed: SEED, round: at, faults: after }).toEqual({ seed: SEED, round: at, faults: [] });
      counts.drives += round.started.length + runs.length;
      counts.stopped += runs.filter(({ stdout }) => stdout.includes('exitCode')).length;
      counts.merged += runs.filter(({ stdout }) => stdout.includes('"MERGED"')).length;
    }
  } finally {
    await stand.strike();
  }
  process.stdout.write(
    `  seed ${SEED}: ${ROUNDS} rounds, ${counts.drives} clients; after them ${counts.stopped} drives stopped with a way out, ${counts.merged} merged\n`,
  );
  expect(counts.drives).toBeGreaterThan(ROUNDS);
});
