import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { DAEMON_PROGRAM, forwardArgs } from '@plat/forwards';
import { detachedVariables } from '../environment';
import type { WantedForward } from './wanted-forward';

/** Longest wait for a forward to listen, which it does before it calls the cluster. */
const LISTEN_MILLISECONDS = 10_000;
const LATE = { code: 'SILENT', message: `it does not listen after ${LISTEN_MILLISECONDS / 1000} s` };
/** The characters that are kept of the output of a process before it listens or ends. */
const WORDS_MAX = 4096;

/** How a start ended. */
export type StartedForward = { pid: number } | { code: string; message: string };

/** The program of a forward, which is part of the client's package. Rule H9. */
export function forwardProgram(clientRoot: string): string {
  return join(clientRoot, DAEMON_PROGRAM);
}

/** The whole command of a forward. Rule H9. */
export function forwardArgv(program: string, { target, record, path }: WantedForward): string[] {
  const args = forwardArgs({ ...target, context: record.kubernetesContext, state: path });
  return [process.execPath, program, ...args];
}

/**
 * Starts a detached forward and waits until it listens or has ended. It reads the state file, which has to be there.
 * Nothing of this process stays with it: neither its streams nor its folder.
 *
 * @param interrupted ends it, as long as it does not listen
 * @returns its process id; otherwise why there is none, by the system's code
 */
export function startForward(
  [program = '', ...args]: readonly string[],
  interrupted: AbortSignal,
): Promise<StartedForward> {
  interrupted.throwIfAborted();
  const child = spawn(program, args, {
    detached: true,
    cwd: '/',
    env: detachedVariables(process.cwd()),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    const letGo = () => {
      clearTimeout(timer);
      interrupted.removeEventListener('abort', stop);
      release(child);
    };
    const settle = (result: StartedForward) => {
      letGo();
      resolve(result);
    };
    const stop = () => {
      letGo();
      child.kill('SIGKILL');
      reject(interrupted.reason as Error);
    };
    let failure: StartedForward | undefined;
    // A process that does not listen is of no use, even if it runs on. Its end is awaited, so that nothing remains.
    const fail = (result: StartedForward) => {
      failure = result;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => fail(LATE), LISTEN_MILLISECONDS);
    interrupted.addEventListener('abort', stop, { once: true });
    const [said, complained] = [wordsOf(child.stdout), wordsOf(child.stderr)];
    child.stdout.on('data', () => {
      const report = reportIn(said(), child.pid);
      if (report === undefined) return;
      if ('code' in report) fail(report);
      else settle(report);
    });
    child.once('error', ({ code = 'FAILED', message }: NodeJS.ErrnoException) => settle({ code, message }));
    child.once('close', (code, signal) => {
      const words = complained().trim().split('\n').at(-1);
      const message = words || `it ended with ${code ?? signal} before it listened`;
      settle(failure ?? { code: 'ENDED', message });
    });
  });
}

function wordsOf(stream: NodeJS.ReadableStream): () => string {
  let words = '';
  stream.on('data', (chunk: Buffer) => {
    if (words.length < WORDS_MAX) words += chunk.toString('utf8');
  });
  return () => words;
}

/** The line with which a forward reports that it listens, or why it does not; undefined before its end. */
function reportIn(words: string, pid: number | undefined): StartedForward | undefined {
  const end = words.indexOf('\n');
  if (end < 0) return undefined;
  try {
    const line = JSON.parse(words.slice(0, end)) as { listening?: number; error?: string; message?: string };
    if (line.listening !== undefined && pid !== undefined) return { pid };
    return { code: line.error ?? 'FAILED', message: line.message ?? 'it gives no reason' };
  } catch {
    return { code: 'FAILED', message: `it reports ${JSON.stringify(words.slice(0, end))}` };
  }
}

/** Lets this process end while the forward runs. */
function release(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
}
