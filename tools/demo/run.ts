import { spawn } from '@plat/testing';

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Called with each piece of stderr as it comes. */
  onStderr?(text: string): void;
}

/** Runs a program to its end; stdin is empty. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env, onStderr }: RunOptions,
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      onStderr?.(text);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
