import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { NightlyStep } from './step';

/** The tools, two levels up from the folder of the bundle in dist. */
const tools = join(__dirname, '..', '..', 'tools');

/** A step that is a program of the tools. */
export const programStep = (
  summary: string,
  [program = '', ...args]: string[],
  variables: Record<string, string> = {},
): NightlyStep => ({
  summary,
  async run() {
    const env = { ...process.env, ...variables };
    const child = spawn(process.execPath, [join(tools, program), ...args], { stdio: 'inherit', env });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${program} fails`);
  },
});
