import { runRounds } from './run-rounds';

/** `npm run nightly -- drive` runs more of them. */
const ROUNDS = Number(process.env.DRIVE_ROUNDS ?? 2);
/** The same disturbances in every run; the nightly tests use new ones. */
const SEED = Number(process.env.DRIVE_SEED ?? 1);

jest.setTimeout(60_000 + ROUNDS * 60_000);

it(`keeps its promises through ${ROUNDS} disturbed rounds of two machines and three checkouts`, async () => {
  const { clients } = await runRounds({ seed: SEED, rounds: ROUNDS });
  expect(clients).toBeGreaterThan(ROUNDS);
});
