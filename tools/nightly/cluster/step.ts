import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { NightlyStep } from '../step';

/** From the folder of the bundle in dist. */
const RUN = join(__dirname, '..', '..', 'tools', 'nightly', 'cluster', 'run-cluster.mjs');

export const clusterStep: NightlyStep = {
  summary: 'an environment from init to delete on a cluster whose node runs its pod; needs root',
  async run() {
    // It ends with this process, and then so does the cluster.
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', process.execPath, RUN], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error('the tests on a cluster do not hold, or this machine can run no cluster');
  },
};
