import { join } from 'node:path';
import { verifierWorkerFile } from '@plat/testing';
import type { NightlyStep } from '../step';
import { runHistories } from './run-histories';

const RUNS = 10_000;
const WRONG_TOLD_MAX = 20;

/** Spec: API, MERGED report verification, conditions A and B; on random histories. */
export const historiesStep: NightlyStep = {
  summary: `the verifier compared with the git command, on ${RUNS.toLocaleString('en')} random histories`,
  async run({ runs = RUNS, seed = Date.now() % 1_000_000_000, only }) {
    process.stdout.write(
      only === undefined ? `${runs} histories, seed ${seed}\n` : `history ${only} of seed ${seed}\n`,
    );
    const workerFile = await verifierWorkerFile(join(__dirname, '..', '..'));
    const { tally, kinds, wrong } = await runHistories({ runs, seed, only, workerFile }, (done) => {
      if (done % 1_000 === 0) process.stderr.write(`${done} judged\n`);
    });
    const rows = [...tally].sort(([one], [other]) => one.localeCompare(other));
    for (const [name, count] of rows) process.stdout.write(`${String(count).padStart(7)}  ${name}\n`);
    process.stdout.write('of these, examples of\n');
    for (const [kind, count] of kinds) process.stdout.write(`${String(count).padStart(7)}  ${kind}\n`);
    if (wrong.length > 0) {
      throw new Error(`${wrong.length} wrong answers:\n${wrong.slice(0, WRONG_TOLD_MAX).join('\n\n')}`);
    }
  },
};
