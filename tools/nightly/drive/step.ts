import { availableParallelism } from 'node:os';
import { makeRunFolder } from '../../test/run-folder.mjs';
import { runSpec } from '../spec-step';
import type { NightlyStep } from '../step';

const PLACE = { project: 'apps/e2e', spec: 'drive-rounds.http' };
const RUNS = 500;

/** Shares the rounds among as many processes as the machine has processors. Each has services and a seed of its own. */
export const driveStep: NightlyStep = {
  summary:
    `${RUNS} disturbed rounds of the drive on two machines: every commit on the target gated, every exit code true, ` +
    'every printed next step a way out',
  async run({ runs = RUNS, seed = Date.now() % 2 ** 31 }) {
    // The rounds write many small files, which a folder in memory takes much faster.
    const TMPDIR = makeRunFolder();
    const lanes = Math.max(1, Math.min(availableParallelism(), runs));
    const running = Array.from({ length: lanes }, (_, lane) =>
      runSpec(PLACE, {
        TMPDIR,
        DRIVE_ROUNDS: `${Math.floor((runs + lane) / lanes)}`,
        DRIVE_SEED: `${seed + lane}`,
      }),
    );
    const failed = (await Promise.allSettled(running)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  },
};
