import { FAULTS } from './faults';
import { MUTANTS, seedMutant } from './mutants';
import { play, type Played, SOUND } from './play';
import { LogStand } from './stand';

/** `npm run nightly -- ledger` plays more of them. */
const ROUNDS = Number(process.env.LEDGER_ROUNDS ?? 10);
/** A round has its own seed, so that one that failed is played again by LEDGER_SEED=<its seed> LEDGER_ROUNDS=1. */
const SEED = Number(process.env.LEDGER_SEED ?? 1);

/** Rounds within which each fault that is seeded into the database must be noticed. */
const MUTANT_ROUNDS = 300;
const IS_NIGHT = ROUNDS > 30;
const TESTED = Object.entries(MUTANTS).filter(([, { rare }]) => IS_NIGHT || !rare);

jest.setTimeout(120_000 + ROUNDS * 1_000);

let stand: LogStand;
beforeAll(async () => {
  stand = await LogStand.set();
});
afterAll(() => stand.strike());

it(`finds all that is altered in a real log and nothing else, in ${ROUNDS} rounds`, async () => {
  const played: Played[] = [];
  for (let seed = SEED; seed < SEED + ROUNDS; seed += 1) played.push(await play(stand, seed));
  process.stdout.write(summaryOf(played));
  expect(played.flatMap(({ wrong }) => wrong)).toEqual([]);
});

it.each(TESTED)(`notices within ${MUTANT_ROUNDS} rounds that %s`, async (_name, mutant) => {
  const restore = await seedMutant(stand, mutant);
  try {
    let seed = SEED;
    while ((await play(stand, seed)).wrong.length === 0) {
      seed += 1;
      expect(seed).toBeLessThan(SEED + MUTANT_ROUNDS);
    }
  } finally {
    await restore();
  }
});

function summaryOf(played: readonly Played[]): string {
  const sound = played.filter(({ kind }) => kind === SOUND);
  const altered = played.filter(({ kind }) => kind !== SOUND);
  const right = (rounds: readonly Played[]) => rounds.filter(({ wrong }) => wrong.length === 0).length;
  const kinds = Object.keys(FAULTS).map((kind) => {
    const rounds = altered.filter((one) => one.kind === kind);
    return `    ${right(rounds)} of ${rounds.length}: ${kind}\n`;
  });
  const all =
    `  seed ${SEED}: ${ROUNDS} rounds on PostgreSQL, ${right(altered)} of ${altered.length} altered logs found, ` +
    `${sound.length - right(sound)} false alarms on ${sound.length} sound ones\n`;
  return [all, ...kinds].join('');
}
