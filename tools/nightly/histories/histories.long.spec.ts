import { verifierWorkerFile } from '@plat/testing';
import { runHistories } from './run-histories';

/** The same histories in every run; the nightly tests use new ones. */
const SEED = 1;
const RUNS = 300;

it('the verifier accepts only landings that git finds, and refuses only those that docs/verification.md explains', async () => {
  const workerFile = await verifierWorkerFile();
  const { tally, kinds, wrong } = await runHistories({ runs: RUNS, seed: SEED, workerFile });
  expect(wrong).toEqual([]);
  expect([...tally.keys()]).toEqual(
    expect.arrayContaining(
      ['ancestor', 'carried', 'lacking', 'empty', 'unrelated'].map((truth) => `B, git: ${truth}: right`),
    ),
  );
  expect([...kinds].filter(([, count]) => count === 0)).toEqual([]);
}, 300_000);
