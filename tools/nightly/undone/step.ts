import { join } from 'node:path';
import { verifierWorkerFile } from '@plat/testing';
import { embeddedVerifierConfig, Verifier } from '@plat/verifier';
import type { NightlyStep } from '../step';
import { judgeGenerated } from './generated';
import { judgeReplayed } from './replayed';

/** Generated histories, and landings of each repository. */
const RUNS = 2_000;

/** docs/undone-work.md: what is lost is found, and honest landings are not called sure. */
export const undoneStep: NightlyStep = {
  summary:
    'work that a landing takes back: found in generated histories, and not called sure in honest ones (--git-dir DIR...)',
  async run({ runs = RUNS, seed = Date.now() % 2 ** 31, only, gitDirs = [] }) {
    const workerFile = await verifierWorkerFile(join(__dirname, '..', '..'));
    const verifier = new Verifier(embeddedVerifierConfig, { workerFile });
    const faults: string[] = [];
    try {
      if (gitDirs.length === 0) {
        const generated = await judgeGenerated(verifier, { runs, seed, only });
        process.stdout.write(generated.report);
        faults.push(...generated.faults);
      }
      for (const directory of gitDirs) {
        const replayed = await judgeReplayed(verifier, directory, { runs, only });
        process.stdout.write(replayed.report);
        faults.push(...replayed.faults);
      }
    } finally {
      await verifier.close();
    }
    if (faults.length > 0) throw new Error(`seed ${seed}:\n${faults.join('\n')}`);
  },
};
