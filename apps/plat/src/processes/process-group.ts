import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, type ProcessIdentity } from '@plat/local';
import { untrustedVariables } from '../environment';
import type { PassedNames } from '../secret-variables';
import { signalGroup } from './group-signal';
import { endLeftOver, MARK_VARIABLE } from './left-over';

const GRACE_MILLISECONDS = 5000;
/** Longest wait for the output of processes that outlive the program, such as a `tee` that still writes. */
const OUTPUT_MILLISECONDS_MAX = 2000;
/** Longest wait for the end of the streams once the processes that were found have ended. */
const CLOSE_MILLISECONDS_MAX = 500;
/** Waits for `go` on stdin, so that no program runs before its group is recorded. */
const HELD_BACK = 'read -r go && [ "$go" = go ] || exit 125; exec "$@" < /dev/null';

/** A program that runs in a process group of its own, with all processes that it starts. */
export interface GroupRun {
  argv: readonly string[];
  folder: string;
  /** Changes to the user's own variables. */
  variables?: Readonly<Record<string, string | undefined>>;
  /** The user's secrets that it gets. Default none, because most such programs run the code of a branch. */
  passed?: PassedNames;
  /** Ends the group: with SIGTERM, and with SIGKILL if it does not end. */
  interrupted: AbortSignal;
  /** Called with the output on both streams as it arrives. */
  output(chunk: Buffer): void;
  /** Called with the group's leader, before the program begins. */
  beginning?(leader: ProcessIdentity): Promise<void>;
}

/** How a program ended. */
export interface GroupEnd {
  /** Null if a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * Runs a program until it ends itself. Processes that it started and that still run are ended then, and whatever they
 * are, the program's end is reported within seconds.
 *
 * @throws the reason with which `interrupted` was aborted, after the group has ended
 */
export async function runGroup(run: GroupRun): Promise<GroupEnd> {
  const { argv, folder, variables = {}, passed = [], interrupted, output } = run;
  interrupted.throwIfAborted();
  const mark = randomUUID();
  const child = spawn('/bin/sh', ['-c', HELD_BACK, 'sh', ...argv], {
    cwd: folder,
    env: { ...untrustedVariables(variables, passed), [MARK_VARIABLE]: mark },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The shell may end before `go` arrives; its exit code gives the reason.
  child.stdin.on('error', () => undefined);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', output);
  const [end, closed] = [endOf(child), closeOf(child)];
  const stop = stopping(child);
  interrupted.addEventListener('abort', stop.now, { once: true });
  try {
    await begin(child, run);
    return await end;
  } finally {
    interrupted.removeEventListener('abort', stop.now);
    await end.catch(() => undefined);
    stop.forget();
    if (child.pid !== undefined) {
      await waitAtMost(OUTPUT_MILLISECONDS_MAX, closed, interrupted);
      await endLeftOver({ group: child.pid, mark });
      await closeStreams(child, closed);
    }
    interrupted.throwIfAborted();
  }
}

/** Waits for an event, until the time is up or `interrupted` is aborted. */
async function waitAtMost(
  milliseconds: number,
  event: Promise<unknown>,
  interrupted?: AbortSignal,
): Promise<void> {
  const occurred = new AbortController();
  const signal = AbortSignal.any([occurred.signal, ...(interrupted ? [interrupted] : [])]);
  await Promise.race([event, delay(milliseconds, undefined, { signal }).catch(() => undefined)]);
  occurred.abort();
}

/** Closes the streams, which a process that was not found may hold open for as long as it runs. */
async function closeStreams({ stdout, stderr }: ChildProcess, closed: Promise<void>): Promise<void> {
  // Data that has arrived is read first.
  await waitAtMost(CLOSE_MILLISECONDS_MAX, closed);
  stdout?.destroy();
  stderr?.destroy();
  await closed;
}

/**
 * Starts the program with `go`. If anything fails before, the program never runs, because the shell reads the end of
 * its input.
 */
async function begin(child: ChildProcess, { beginning, interrupted }: GroupRun): Promise<void> {
  try {
    const leader = child.pid === undefined ? undefined : await identify(child.pid);
    if (leader) await beginning?.(leader);
    if (!interrupted.aborted) child.stdin?.write('go\n');
  } finally {
    child.stdin?.end();
  }
}

function endOf(child: ChildProcess): Promise<GroupEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // Not `close`, for which the processes that it started are waited for too.
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function closeOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
  });
}

function stopping({ pid }: ChildProcess) {
  let timer: NodeJS.Timeout | undefined;
  return {
    now: () => {
      if (pid === undefined) return;
      signalGroup(pid, 'SIGTERM');
      timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MILLISECONDS);
    },
    forget: () => clearTimeout(timer),
  };
}
