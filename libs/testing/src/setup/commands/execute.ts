import { execFile } from '../../starter/child-process';

/** A command that a test runs to its end. */
export interface Command {
  program: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
  /** Written to stdin, in base64; default: nothing. */
  input?: string | undefined;
}

export interface CommandRun {
  /** The exit code; -1 if the command did not start or was killed. */
  code: number;
  stdout: string;
  stderr: string;
}

const OUTPUT_MAX = 256 * 1024 * 1024;

/** Runs the command as a child of this process. */
export function execute({ program, args, cwd, env, input = '' }: Command): Promise<CommandRun> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd, env, maxBuffer: OUTPUT_MAX }, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
      else resolve({ code: -1, stdout, stderr: `${stderr}${error.message}` });
    });
    // The command may end before it has read all of its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(Buffer.from(input, 'base64'));
  });
}
