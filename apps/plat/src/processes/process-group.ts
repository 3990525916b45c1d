import { type ChildProcess, spawn } from 'node:child_process';
import { identify, type ProcessIdentity } from '@plat/local';
import { untrustedVariables } from '../environment';
import type { PassedNames } from '../secret-variables';
import { signalGroup } from './group-signal';

const GRACE_MILLISECONDS = 10_000;
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

/** Runs a program to its end. @throws the reason with which `interrupted` was aborted, after the group has ended */
export async function runGroup(run: GroupRun): Promise<GroupEnd> {
  const { argv, folder, variables = {}, passed = [], interrupted, output } = run;
  interrupted.throwIfAborted();
  const child = spawn('/bin/sh', ['-c', HELD_BACK, 'sh', ...argv], {
    cwd: folder,
    env: untrustedVariables(variables, passed),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The shell may end before `go` arrives; its exit code gives the reason.
  child.stdin.on('error', () => undefined);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', output);
  const end = endOf(child);
  const stop = stopping(child);
  interrupted.addEventListener('abort', stop.now, { once: true });
  try {
    await begin(child, run);
    return await end;
  } finally {
    interrupted.removeEventListener('abort', stop.now);
    await end.catch(() => undefined);
    stop.forget();
    interrupted.throwIfAborted();
  }
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
    child.once('close', (code, signal) => resolve({ code, signal }));
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
