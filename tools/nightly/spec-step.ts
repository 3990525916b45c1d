import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { NightlyOptions, NightlyStep } from './step';

/** Two levels up from the bundle in dist/tools. */
const root = join(__dirname, '..', '..');

export interface LongSpec {
  summary: string;
  /** Folder of the project whose spec it is. */
  project: string;
  /** Which spec, as jest's --testPathPatterns takes it. */
  spec: string;
  /** What the spec reads to do more than `npm test` has time for. */
  environment(options: NightlyOptions): Record<string, string>;
}

/** A spec of the usual tests, run over many more cases. */
export const specStep = ({ summary, project, spec, environment }: LongSpec): NightlyStep => ({
  summary,
  async run(options) {
    const args = [
      join(root, 'node_modules/jest/bin/jest.js'),
      ...['--config', `${project}/jest.config.js`, '--testPathPatterns', spec],
    ];
    const env = { ...process.env, ...environment(options) };
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${spec} of ${project} does not hold`);
  },
});
