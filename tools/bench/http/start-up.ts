import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startStandalone } from '@plat/testing';
import { median } from '../median';
import type { Stand } from './stand';

const runFile = promisify(execFile);

/** How long programs take to get ready, and how much memory an idle service needs. */
export interface StartUp {
  /** `node -e 0`, in milliseconds: every program on node takes at least that. */
  nodeMs: number;
  serviceMs: number;
  standaloneMs: number;
  /** Resident memory of an idle service, in bytes; NaN if the system doesn't report it. */
  idleBytes: number;
}

const TURNS = 5;
/** After this many milliseconds without requests a service counts as idle. */
const IDLE_AFTER_MS = 2_000;

/** Starts each program in turns; the first turn only fills the file cache and makes the data directory. */
export async function measureStartUp(stand: Stand, root: string, signal: AbortSignal): Promise<StartUp> {
  const times = { node: [] as number[], service: [] as number[], standalone: [] as number[] };
  const idle: number[] = [];
  for (let turn = 0; turn <= TURNS; turn++) {
    signal.throwIfAborted();
    const node = await bootOfNode();
    const service = await stand.startService('reviews');
    if (turn === TURNS) {
      await delay(IDLE_AFTER_MS, undefined, { signal });
      idle.push(await residentBytes(service.pid));
    }
    await service.stop();
    const standalone = await bootOfStandalone(stand.folder, root);
    if (turn === 0) continue;
    times.node.push(node);
    times.service.push(service.bootMs);
    times.standalone.push(standalone);
  }
  return {
    nodeMs: median(times.node),
    serviceMs: median(times.service),
    standaloneMs: median(times.standalone),
    idleBytes: median(idle),
  };
}

async function bootOfNode(): Promise<number> {
  const startedAt = performance.now();
  await runFile(process.execPath, ['-e', '0']);
  return performance.now() - startedAt;
}

/** Milliseconds until the ready file is there. Standalone writes it when everything answers. */
async function bootOfStandalone(folder: string, root: string): Promise<number> {
  const dataDir = join(folder, 'standalone');
  const startedAt = performance.now();
  const { stop } = await startStandalone({
    folder,
    dataDir,
    program: [join(root, 'dist/apps/standalone/main.js')],
  });
  const bootMs = performance.now() - startedAt;
  await stop();
  return bootMs;
}

/** Resident memory of a process, in bytes; NaN if the system does not report it. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) * 1024;
}
