import type { NightlyStep } from '../step';
import { runTriples } from './run-triples';

const RUNS = 100_000;
const WRONG_TOLD_MAX = 10;

/** Spec: API, MERGED report verification, condition B: whether a file carries a change, compared with git's merge. */
export const triplesStep: NightlyStep = {
  summary: `whether a file carries a change, compared with git's merge, on ${RUNS.toLocaleString('en')} code-like files`,
  async run({ runs = RUNS, seed = Date.now() % 1_000_000_000, only }) {
    process.stdout.write(`${runs} triples, seed ${seed}\n`);
    const { tally, wrong } = await runTriples({ runs, seed, only }, (done) => {
      if (done % 20_000 === 0) process.stderr.write(`${done} judged\n`);
    });
    const rows = [...tally].sort(([one], [other]) => one.localeCompare(other));
    for (const [name, count] of rows) process.stdout.write(`${String(count).padStart(7)}  ${name}\n`);
    if (wrong.length > 0) {
      throw new Error(`${wrong.length} wrong answers:\n${wrong.slice(0, WRONG_TOLD_MAX).join('\n\n')}`);
    }
  },
};
