import { verifierWorkerFile } from '@plat/testing';
import { join } from 'node:path';
import type { NightlyStep } from '../step';
import { runLandings } from './run-landings';

/** As many plans give 10,000 landings of each operator that can be applied to most of them. */
const RUNS = 12_000;
const WRONG_TOLD_MAX = 10;
/** The share of verdicts that may be UNKNOWN, in percent. */
const UNKNOWN_PERCENT_MAX = 2;

/** The content's verdict on landings that are sound, and on the same ones corrupted in each way. */
export const landingsStep: NightlyStep = {
  summary: "the content's verdict on random landings, sound ones and corrupted ones",
  async run({ runs = RUNS, seed = Date.now() % 1_000_000_000, only }) {
    process.stdout.write(`${runs} reviews, seed ${seed}\n`);
    const workerFile = await verifierWorkerFile(join(__dirname, '..', '..'));
    const asked = { runs, seed, workerFile, ...(only !== undefined && { only }) };
    const { tally, wrong } = await runLandings(asked, (done) => {
      if (done % 1_000 === 0) process.stderr.write(`${done} reviews landed\n`);
    });
    let [all, unknown] = [0, 0];
    for (const [kind, answers] of [...tally].sort(([one], [other]) => other.localeCompare(one))) {
      const count = [...answers.values()].reduce((sum, each) => sum + each, 0);
      const cells = [...answers]
        .sort(([, one], [, other]) => other - one)
        .map((row) => row.reverse().join(' '));
      process.stdout.write(`${String(count).padStart(7)}  ${kind.padEnd(44)} ${cells.join(', ')}\n`);
      all += count;
      for (const [answer, each] of answers) if (answer.startsWith('UNKNOWN')) unknown += each;
    }
    const percent = (100 * unknown) / Math.max(1, all);
    process.stdout.write(`${String(all).padStart(7)}  verdicts, ${percent.toFixed(2)} % UNKNOWN\n`);
    if (wrong.length > 0)
      throw new Error(`${wrong.length} wrong verdicts:\n${wrong.slice(0, WRONG_TOLD_MAX).join('\n\n')}`);
    if (percent > UNKNOWN_PERCENT_MAX) throw new Error(`${percent.toFixed(2)} % of the verdicts are UNKNOWN`);
  },
};
