import { type ChildProcess, spawn } from 'node:child_process';
import { forwardArgs, type ForwardStart } from '@plat/forwards';
import { childVariables } from '../environment';

/** How the start of a daemon went. */
export type StartedDaemon = { pid: number } | { error: string; message: string };

/** Variables of this session that a process of its own, which outlives it, has no use for. */
const OF_THIS_SESSION = ['PLAT_GATEWAY_TOKEN', 'LLM_API_KEY', 'GH_TOKEN', 'GITHUB_TOKEN'];
const OUTPUT_LENGTH_MAX = 4096;

/** Starts a daemon that outlives this process, and waits until it listens or has failed. */
export function startDaemon(program: string, start: ForwardStart): Promise<StartedDaemon> {
  const without = Object.fromEntries(OF_THIS_SESSION.map((name) => [name, undefined]));
  const child = spawn(process.execPath, [program, ...forwardArgs(start)], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childVariables(without),
  });
  return firstWord(child).finally(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.unref();
  });
}

/** The daemon says in one line how its start went; the end of its output without one is a failure. */
function firstWord(child: ChildProcess): Promise<StartedDaemon> {
  return new Promise((resolve) => {
    let [said, complaint] = ['', ''];
    child.once('error', ({ message }) => resolve({ error: 'FAILED', message }));
    child.stderr?.on(
      'data',
      (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-OUTPUT_LENGTH_MAX)),
    );
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('\n')) resolve(readWord(said));
    });
    child.once('close', (code, signal) => {
      const message = `the port-forward process ended with ${signal ?? code}: ${complaint.trim()}`;
      resolve({ error: 'FAILED', message });
    });
  });
}

function readWord(line: string): StartedDaemon {
  const { pid, error, message } = JSON.parse(line) as { pid?: number; error?: string; message?: string };
  if (pid !== undefined) return { pid };
  return { error: error ?? 'FAILED', message: message ?? 'the port-forward process did not start' };
}
