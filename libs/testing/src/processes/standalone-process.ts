import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { spawn } from '../starter/child-process';

export interface StandaloneOptions {
  /** An existing folder for its data and its ready file; default: a temporary one, which `stop` removes. */
  folder?: string;
  /** Default: `data` in the folder. */
  dataDir?: string;
  /** Default: any free port. */
  port?: number;
  /** The program that node runs; default: `npm start`, which builds it first if its sources have changed. */
  program?: readonly string[];
  /** Whether its output is closed from the start, as by a reader that has gone away. */
  unread?: boolean;
}

const READY_FILE = 'ready.json';

interface Address {
  apiUrl: string;
}

/** How a start ended, and what it printed. */
export interface EndedStart {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface LaunchedStandalone {
  child: ChildProcess;
  ended: Promise<EndedStart>;
  /** Sends SIGTERM, and waits until the process has ended. */
  stop(): Promise<void>;
}

export interface StandaloneProcess<Report extends Address = Address> extends LaunchedStandalone {
  apiUrl: string;
  /** The content of the ready file. */
  report: Report;
  readyFile: string;
}

/**
 * Starts the standalone as a process of its own, and waits for nothing.
 * @paths apps/standalone/src/main.ts
 */
export function launchStandalone(args: readonly string[], program = npmStart()): LaunchedStandalone {
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: workspaceRoot(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { child, ended, stop };
}

/**
 * Starts the standalone and waits for its ready file, which appears whole.
 *
 * @throws Error with its output if it ends before
 */
export async function startStandalone<Report extends Address = Address>(
  options: StandaloneOptions = {},
): Promise<StandaloneProcess<Report>> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'plat-standalone-')));
  const { dataDir = join(folder, 'data'), port = 0, program, unread } = options;
  const readyFile = join(folder, READY_FILE);
  const watcher = watch(folder);
  try {
    const appeared = new Promise<void>((resolve) => {
      watcher.on('change', (_event, name) => {
        if (name === READY_FILE) resolve();
      });
    });
    const args = ['--port', `${port}`, '--data-dir', dataDir, '--ready-file', readyFile];
    const launched = launchStandalone(args, program);
    if (unread) for (const output of [launched.child.stdout, launched.child.stderr]) output?.destroy();
    const early = await Promise.race([appeared, launched.ended]);
    if (early) {
      throw new Error(`It ended before it was ready (${early.code}):\n${early.stdout}${early.stderr}`);
    }
    const report = JSON.parse(await readFile(readyFile, 'utf8')) as Report;
    const stop = async () => {
      await launched.stop();
      if (options.folder === undefined) await rm(folder, { recursive: true });
    };
    return { ...launched, stop, apiUrl: report.apiUrl, report, readyFile };
  } finally {
    watcher.close();
  }
}

const npmStart = (): readonly string[] => [join(workspaceRoot(), 'tools', 'run.mjs'), 'start'];
