import { join } from 'node:path';
import { verifierWorkerFile } from '@plat/testing';
import { embeddedVerifierConfig, Verifier } from '@plat/verifier';
import type { NightlyStep } from '../step';
import { type JudgedPull, judgePull } from './judge-pulls';
import { witnessMerges } from './merge-witness';
import { listMergedPulls, type MergedPull } from './pulls';
import { replayRepository } from './replay-repository';
import { reportOf, wrongOf } from './report';
import { checkInWarmClone } from './warm-clone';

/** Landings of one repository, spread over its whole history. */
const RUNS = 400;

/** Spec: API, MERGED report verification, condition B; and the content's verdict, on public history. */
export const repositoriesStep: NightlyStep = {
  summary:
    'the verifier compared with the git command, on the merged pull requests of bare clones (--git-dir DIR...)',
  async run({ runs = RUNS, gitDirs = [], only }) {
    if (gitDirs.length === 0) {
      return void process.stdout.write('nothing was replayed: --git-dir names no bare clone\n');
    }
    const workerFile = await verifierWorkerFile(join(__dirname, '..', '..'));
    const verifier = new Verifier(embeddedVerifierConfig, { workerFile });
    const wrong: string[] = [];
    try {
      for (const directory of gitDirs) {
        const judged = await replay(verifier, directory, { runs, only });
        process.stdout.write(reportOf(directory, judged));
        wrong.push(...wrongOf(directory, judged));
      }
    } finally {
      await verifier.close();
    }
    if (wrong.length > 0) throw new Error(`${wrong.length} wrong answers:\n${wrong.join('\n')}`);
  },
};

async function replay(
  verifier: Verifier,
  directory: string,
  { runs, only }: { runs: number; only: number | undefined },
): Promise<JudgedPull[]> {
  const all = await listMergedPulls(directory);
  const chosen = only === undefined ? spread(all, runs) : all.filter(({ number }) => number === only);
  const repository = await replayRepository(directory, chosen);
  try {
    const witnessed = await witnessMerges(repository.directory, repository.pulls);
    const inWarmClone = await checkInWarmClone(repository);
    const judged: JudgedPull[] = [];
    for (const [index, pull] of repository.pulls.entries()) {
      if (index % 100 === 0) process.stderr.write(`${directory}: ${index} of ${chosen.length}\n`);
      const known = { pull, witnessed: witnessed[index]!, inWarmClone: inWarmClone[index]! };
      judged.push(await judgePull(verifier, repository, known));
    }
    return judged;
  } finally {
    await repository.remove();
  }
}

/** A number of pull requests at equal distances. */
function spread(pulls: readonly MergedPull[], count: number): MergedPull[] {
  if (pulls.length <= count) return [...pulls];
  return Array.from({ length: count }, (_, index) => pulls[Math.floor((index * pulls.length) / count)]!);
}
