import { verifierWorkerFile } from '@plat/testing';
import { runHistories } from './run-histories';

/** The same histories in every run: new ones are for the nightly tests. */
const SEED = 1;
const RUNS = 300;

it('the verifier accepts nothing that git does not find landed, and refuses only what docs/verification.md explains', async () => {
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
