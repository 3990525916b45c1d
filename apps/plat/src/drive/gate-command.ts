import { spawn } from 'node:child_process';
import { childVariables } from '../config/environment';
import { Failure } from '../terminal/failure';
import { printableText } from '../terminal/printable';

const TAIL_LENGTH = 4000;
/** The shell's own: the command was not found, or cannot be executed. */
const NOT_RUNNABLE: ReadonlyArray<number | null> = [126, 127];

export interface GateCommand {
  command: string;
  folder: string;
  /** Stops the command and everything it started. */
  interrupted: AbortSignal;
  /** Told what it prints, as it comes. */
  output(chunk: Buffer): void;
}

/** How the gate ended. Only the exit status decides. Spec: Client, Gate drive rules, rule 6. */
export interface GateOutcome {
  successful: boolean;
  /** Why it failed: the exit status and the end of what it printed. */
  detail?: string;
}

/**
 * Runs the project's gate in a process group of its own.
 *
 * @throws Failure GATE_NOT_RUNNABLE, which tells nothing about the review; what `interrupted` was aborted with
 */
export async function runGate({ command, folder, interrupted, output }: GateCommand): Promise<GateOutcome> {
  interrupted.throwIfAborted();
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: folder,
    env: childVariables({}),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let tail = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output(chunk);
      tail = (tail + chunk.toString('utf8')).slice(-TAIL_LENGTH);
    });
  const stop = () => stopGroup(child.pid);
  interrupted.addEventListener('abort', stop, { once: true });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, by) => resolve([exitCode, by]));
  });
  interrupted.removeEventListener('abort', stop);
  interrupted.throwIfAborted();
  if (code === 0) return { successful: true };
  const said = printableText(tail).trim();
  const how = code === null ? `was ended by ${signal}` : `exited with ${code}`;
  if (NOT_RUNNABLE.includes(code))
    throw new Failure('GATE_NOT_RUNNABLE', `The gate ${how}: ${said}`, { next: 'correct --gate-command' });
  return { successful: false, detail: `The gate ${how}.${said === '' ? '' : `\n${said}`}` };
}

function stopGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
