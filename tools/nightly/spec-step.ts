import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { NightlyOptions, NightlyStep } from './step';

/** The workspace root, two levels up from the folder of the bundle in dist. */
const root = join(__dirname, '..', '..');

/** Where a spec is. */
export interface SpecPlace {
  /** Folder of the spec's project. */
  project: string;
  /** A pattern for jest's --testPathPatterns. */
  spec: string;
}

export interface LongSpec extends SpecPlace {
  summary: string;
  /** Environment variables with which the spec runs more cases than `npm test` has time for. */
  environment(options: NightlyOptions): Record<string, string>;
}

/** A spec of the usual tests, run with many more cases. */
export const specStep = ({ summary, environment, ...place }: LongSpec): NightlyStep => ({
  summary,
  run: (options) => runSpec(place, environment(options)),
});

/**
 * Runs a spec in a process of its own, with variables next to those of this one.
 *
 * @throws Error if a case of it fails
 */
export async function runSpec(
  { project, spec }: SpecPlace,
  environment: Record<string, string>,
): Promise<void> {
  const args = [
    join(root, 'node_modules/jest/bin/jest.js'),
    ...['--config', `${project}/jest.config.js`, '--testPathPatterns', spec],
  ];
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${spec} of ${project} does not hold`);
}
