import { join } from 'node:path';
import { verifierWorkerFile } from '@plat/testing';
import type { NightlyStep } from '../step';
import { OPERATORS } from './operators';
import { countOf, type LandingsFound, runLandings, type Tally } from './run-landings';

/** Reviews of a run; so many give 10,000 landings of each operator. */
const RUNS = 30_000;
const PER_OPERATOR = 10_000;
const WRONG_TOLD_MAX = 10;
/** The share of verdicts that may be UNKNOWN, in percent. */
const UNKNOWN_PERCENT_MAX = 0.3;
const PROGRESS_MS = 10_000;

/** The content's verdict on landings, and on the same ones corrupted in each way, compared with git's own merge. */
export const landingsStep: NightlyStep = {
  summary: "the content's verdict on random landings, sound and corrupt, against git's own merge",
  async run({ runs = RUNS, seed = Date.now() % 1_000_000_000, only }) {
    process.stdout.write(`${runs} reviews, seed ${seed}\n`);
    const workerFile = await verifierWorkerFile(join(__dirname, '..', '..'));
    const interrupted = new AbortController();
    const interrupt = () => interrupted.abort();
    // A second signal ends the process as it would end any other.
    process.once('SIGINT', interrupt);
    const { signal } = interrupted;
    const asked = {
      runs,
      seed,
      workerFile,
      signal,
      perOperator: PER_OPERATOR,
      only,
    };
    try {
      const found = await runLandings(asked, progress(runs));
      printTable(found);
      const partial = signal.aborted ? `partial: interrupted after ${found.reviews} of ${runs} reviews` : '';
      if (partial) process.stdout.write(`${partial}\n`);
      judge(found, only === undefined);
      if (only === undefined && runs >= RUNS) judgeOperators(found);
      if (partial) throw new Error(partial);
    } finally {
      process.off('SIGINT', interrupt);
    }
  },
};

/** Prints the progress from time to time, and each wrong verdict as it is found. */
function progress(runs: number): (found: LandingsFound) => void {
  const started = performance.now();
  let [reported, wrongReported] = [0, 0];
  return ({ reviews, verdicts, unknown, wrong }) => {
    for (const each of wrong.slice(wrongReported)) process.stderr.write(`wrong: ${each}\n`);
    wrongReported = wrong.length;
    const passed = performance.now() - started;
    if (passed - reported < PROGRESS_MS) return;
    reported = passed;
    const rate = (verdicts / (passed / 1_000)).toFixed(0);
    const counts = `${verdicts} verdicts (${rate}/s), ${unknown} UNKNOWN, ${wrong.length} wrong`;
    process.stderr.write(`${reviews} of ${runs} reviews: ${counts}\n`);
  };
}

function printTable(found: LandingsFound): void {
  const { made, answered, verdicts, unknown, open } = found;
  process.stdout.write('How each landing was made, and the verdicts that git gives it:\n');
  printTally(made);
  process.stdout.write("git's verdicts, and those of the verifier:\n");
  printTally(answered);
  const fewest = OPERATORS.map((operator) => ({ operator, count: countOf(found, operator) })).sort(
    (one, other) => one.count - other.count,
  )[0];
  const [openPercent, unknownPercent] = [open, unknown].map((each) => percentOf(each, verdicts).toFixed(2));
  process.stdout.write(
    `${String(fewest?.count).padStart(7)}  of the rarest corruption, ${fewest?.operator}\n` +
      `${String(verdicts).padStart(7)}  verdicts, ${openPercent} % left open by the principle, ${unknownPercent} % UNKNOWN\n`,
  );
}

function printTally(tally: Tally): void {
  for (const [asked, answers] of [...tally].sort(([one], [other]) => other.localeCompare(one))) {
    const count = [...answers.values()].reduce((sum, each) => sum + each, 0);
    const cells = [...answers]
      .sort(([, one], [, other]) => other - one)
      .map(([answer, each]) => `${each} ${answer}`);
    process.stdout.write(`${String(count).padStart(7)}  ${asked.padEnd(60)} ${cells.join(', ')}\n`);
  }
}

/** @param isShareJudged false for a single review, whose share of UNKNOWN has no meaning */
function judge({ wrong, verdicts, unknown }: LandingsFound, isShareJudged: boolean): void {
  if (wrong.length > 0) {
    throw new Error(`${wrong.length} wrong verdicts:\n${wrong.slice(0, WRONG_TOLD_MAX).join('\n\n')}`);
  }
  const percent = percentOf(unknown, verdicts);
  if (isShareJudged && percent > UNKNOWN_PERCENT_MAX) {
    throw new Error(`${percent.toFixed(2)} % of the verdicts are UNKNOWN`);
  }
}

/** A corruption that was hardly applied proves nothing. */
function judgeOperators(found: LandingsFound): void {
  const short = OPERATORS.filter((operator) => countOf(found, operator) < PER_OPERATOR);
  if (short.length === 0) return;
  const counts = short.map((operator) => `${operator} ${countOf(found, operator)} times`).join(', ');
  throw new Error(`applied less than ${PER_OPERATOR} times: ${counts}`);
}

const percentOf = (part: number, all: number): number => (100 * part) / Math.max(1, all);
