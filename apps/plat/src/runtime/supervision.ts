import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { untrustedVariables } from '../environment';

/** A program that runs as long as the pod. */
export interface Service {
  name: string;
  argv: readonly string[];
  /** The pod's secrets that it gets, by the names of their variables. Default none. */
  passed?: readonly string[];
  /** Its working folder at its next start. */
  folder(): string;
  /** Lines of its output that are kept out of the pod's log. */
  noise?: RegExp | undefined;
}

const SECOND = 1000;
const PAUSE_MAX_MILLISECONDS = 60 * SECOND;
/** A service that ran for this time has started well, so its next pause is the shortest again. */
const STEADY_MILLISECONDS = 60 * SECOND;
const GRACE_MILLISECONDS = 10 * SECOND;
/** Longest wait for the output of a service that has ended. */
const OUTPUT_MILLISECONDS_MAX = SECOND;

/** The pause before a service is started again, in milliseconds. @param endings how often in a row it ended soon, from 1 */
export function restartPause(endings: number): number {
  return Math.min(SECOND * 2 ** Math.min(endings - 1, 10), PAUSE_MAX_MILLISECONDS);
}

/** How often in a row a service has ended soon after its start. */
export function endingsInARow(before: number, lastedMilliseconds: number): number {
  return lastedMilliseconds >= STEADY_MILLISECONDS ? 1 : before + 1;
}

/**
 * Runs services until `interrupted`: one that ends is started again after a growing pause. Then ends them one after the
 * other, the last one first. Rule H16.
 *
 * @param note writes a line to the pod's log
 */
export async function supervise(
  services: readonly Service[],
  { interrupted, note }: { interrupted: AbortSignal; note(line: string): void },
): Promise<void> {
  const running = services.map((service) => keepRunning(service, note));
  if (!interrupted.aborted) {
    await new Promise((resolve) => interrupted.addEventListener('abort', resolve, { once: true }));
  }
  for (const service of running.reverse()) await service.end();
}

/** Keeps one service running until its end is asked for. */
function keepRunning({ name, argv, passed = [], folder, noise }: Service, note: (line: string) => void) {
  const ending = new AbortController();
  let child: ChildProcess | undefined;
  const run = async () => {
    let endings = 0;
    while (!ending.signal.aborted) {
      const startedAt = performance.now();
      child = start(argv, { folder: folder(), passed, noise });
      const how = await endOf(child);
      if (ending.signal.aborted) return;
      endings = endingsInARow(endings, performance.now() - startedAt);
      const pause = restartPause(endings);
      note(`${name} ended (${how}). It is started again in ${pause / SECOND} s.`);
      await delay(pause, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    async end() {
      ending.abort();
      child?.kill('SIGTERM');
      const timer = setTimeout(() => child?.kill('SIGKILL'), GRACE_MILLISECONDS);
      await ended;
      clearTimeout(timer);
      note(`${name} has ended.`);
    },
  };
}

/** Starts a service in a group of its own, so that Ctrl-C reaches it only through its supervisor. Its output goes to stderr. */
function start(
  [program = '', ...args]: readonly string[],
  { folder, passed, noise }: { folder: string; passed: readonly string[]; noise: RegExp | undefined },
): ChildProcess {
  const output = noise === undefined ? process.stderr : 'pipe';
  const child = spawn(program, args, {
    cwd: folder,
    env: untrustedVariables({}, passed),
    detached: true,
    stdio: ['ignore', output, output],
  });
  for (const input of [child.stdout, child.stderr]) {
    if (input === null || noise === undefined) continue;
    createInterface({ input }).on('line', (line) => {
      if (!noise.test(line)) process.stderr.write(`${line}\n`);
    });
  }
  return child;
}

/**
 * Waits for the end of a service, and for the rest of its output unless a process that it has started keeps that open.
 *
 * @returns the exit code, signal or error, for a person
 */
async function endOf(child: ChildProcess): Promise<string> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const how = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code === null ? String(signal) : `exit code ${code}`));
  });
  await Promise.race([closed, delay(OUTPUT_MILLISECONDS_MAX)]);
  return how;
}
