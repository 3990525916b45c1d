import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@plat/local';
import { spawn } from '../starter/child-process';
import { serviceEnvironment } from './service-environment';

export interface ServerOptions {
  /** Arguments of node: the program and its own. */
  args: string[];
  environment: Record<string, string>;
  /** The file for stdout and stderr. */
  logFile: string;
  /** Default: one that is free. */
  port?: number;
}

/** A server that is measured or attacked, in a process of its own, on loopback. */
export interface ServerProcess {
  pid: number;
  url: string;
  /** Milliseconds from the start of the process until /readyz answered 200. */
  bootMs: number;
  stop(): Promise<void>;
}

const PATIENCE_MS = 60_000;
const PROBE_GAP_MS = 2;

/** Starts a program that listens on PORT and waits until it is ready. @throws Error with its log if it does not become ready */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { args, environment, logFile, port = await findFreePort() } = options;
  const url = `http://127.0.0.1:${port}`;
  const log = await open(logFile, 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', log.fd, log.fd],
    env: serviceEnvironment({ PORT: `${port}`, ...environment }),
  });
  await log.close();
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const ready = await becomesReady(url, child);
  if (!ready) {
    await stop();
    throw new Error(`${args.join(' ')} did not get ready:\n${await readFile(logFile, 'utf8')}`);
  }
  return { pid: child.pid!, url, bootMs: performance.now() - startedAt, stop };
}

/** False if the program ends before it answers, or takes too long. */
async function becomesReady(url: string, child: ChildProcess): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) {
    const probe = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
      () => undefined,
    );
    await probe?.body?.cancel();
    if (probe?.ok) return true;
    await delay(PROBE_GAP_MS);
  }
  return false;
}
