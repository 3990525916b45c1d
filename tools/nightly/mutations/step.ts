import { join } from 'node:path';
import fc from 'fast-check';
import type { NightlyStep } from '../step';
import { type Mutant, mutantsOf } from './mutants';
import { type Place, PLACES } from './places';
import { MutatedWorkspace } from './workspace';

const RUNS = 150;
/** Percentage of mutants that the tests have to notice. */
const SCORE_MIN = 85;

interface Placed {
  place: Place;
  file: string;
  mutant: Mutant;
}

/** Changes the verifier's sources, one small thing at a time, to check that its tests notice. */
export const mutationsStep: NightlyStep = {
  summary: `seeded changes of the verifier's sources, ${SCORE_MIN} % of which its tests have to notice`,
  async run({ runs = RUNS, seed = 1, only }) {
    const workspace = await MutatedWorkspace.copyOf(join(__dirname, '..', '..'));
    try {
      await requirePassing(workspace);
      const { all, chosen } = await chooseEvenly(workspace, { runs, seed });
      process.stdout.write(`  ${chosen.length} of ${all} mutants, seed ${seed}\n`);
      let [noticed, tried] = [0, 0];
      for (const [number, placed] of chosen.entries()) {
        if (only !== undefined && number !== only) continue;
        const by = await workspace.noticedBy(placed.place, placed.file, placed.mutant);
        tried += 1;
        if (by !== undefined) noticed += 1;
        process.stdout.write(
          `  ${by === undefined ? 'SURVIVED' : 'noticed '} ${number} ${await described(workspace, placed)}\n`,
        );
      }
      const score = (100 * noticed) / tried;
      process.stdout.write(`  ${noticed} of ${tried} noticed: ${score.toFixed(1)} %\n`);
      if (score < SCORE_MIN) throw new Error(`mutation score below ${SCORE_MIN} %`);
    } finally {
      await workspace.remove();
    }
  },
};

/** Checks that the specs pass without a mutant. Otherwise every mutant would count as noticed. */
async function requirePassing(workspace: MutatedWorkspace): Promise<void> {
  for (const { project, specs } of PLACES) {
    for (const spec of specs) {
      if (!(await workspace.passes(project, spec))) throw new Error(`without a mutant ${spec} fails`);
    }
  }
}

/** Chooses equally many of each place: the first of each, then the second, and so on. */
async function chooseEvenly(
  workspace: MutatedWorkspace,
  { runs, seed }: { runs: number; seed: number },
): Promise<{ all: number; chosen: Placed[] }> {
  const rows: Placed[][] = [];
  let all = 0;
  for (const place of PLACES) {
    const mutants = await mutantsIn(workspace, place);
    all += mutants.length;
    const shuffled = fc.shuffledSubarray(mutants, { minLength: mutants.length });
    rows.push(fc.sample(shuffled, { seed, numRuns: 1 })[0] ?? []);
  }
  const longest = Math.max(...rows.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, number) =>
    rows.flatMap((row) => row[number] ?? []),
  ).flat();
  return { all, chosen: inTurn.slice(0, runs) };
}

async function mutantsIn(workspace: MutatedWorkspace, place: Place): Promise<Placed[]> {
  const found: Placed[] = [];
  for (const file of await workspace.sources(place)) {
    for (const mutant of mutantsOf(await workspace.read(file))) found.push({ place, file, mutant });
  }
  return found;
}

async function described(workspace: MutatedWorkspace, { file, mutant }: Placed): Promise<string> {
  const source = await workspace.read(file);
  const { start, end, replacement } = mutant;
  const line = source.slice(0, start).split('\n').length;
  const [first = ''] = source.slice(start, end).split('\n');
  return `${file}:${line} ${JSON.stringify(first)} -> ${JSON.stringify(replacement)}`;
}
