import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { NightlyStep } from './step';

/** From the bundle in dist/tools. */
const RUN = join(__dirname, '..', '..', 'tools', 'run.mjs');

/** CI leaves out what has passed and has not changed; here everything runs. */
export const peersStep: NightlyStep = {
  summary:
    "all tests against other people's servers, those too that CI leaves out; builds their peers from Go sources",
  async run() {
    const child = spawn(process.execPath, [RUN, 'test:peers'], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error("the tests against other people's servers do not hold");
  },
};
