import { runTriples } from './run-triples';

/** The same files in every run; the nightly tests use new ones. */
const SEED = 1;
const RUNS = 2_000;

it('a file carries a change if and only if the change is there, beside repeated lines too', async () => {
  const { tally, wrong } = await runTriples({ runs: RUNS, seed: SEED });
  expect(wrong).toEqual([]);
  for (const kind of [
    "all: git's merge, accepted",
    'all but one: no merge of git, refused',
    'none: no merge of git, refused',
  ]) {
    expect(tally.get(kind)).toBeGreaterThan(RUNS / 50);
  }
}, 120_000);
