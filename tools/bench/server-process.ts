import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface ServerOptions {
  /** Arguments of node: the program and its own. */
  args: string[];
  environment: Record<string, string>;
  /** Where stdout and stderr go. */
  logFile: string;
}

/** A server of the benchmark in a process of its own, on loopback. */
export interface ServerProcess {
  pid: number;
  url: string;
  /** Milliseconds from the start of the process until /readyz answered 200. */
  bootMs: number;
  stop(): Promise<void>;
}

const PATIENCE_MS = 60_000;
const PROBE_GAP_MS = 2;

/** Starts a program that listens on PORT and waits until it is ready. @throws Error with its log when it ends */
export async function startServer({ args, environment, logFile }: ServerOptions): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = await open(logFile, 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', log.fd, log.fd],
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: `${port}`, ...environment },
  });
  await log.close();
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    await Promise.race([
      becomesReady(url),
      ended.then(async () => {
        throw new Error(`${args.join(' ')} has ended:\n${await readFile(logFile, 'utf8')}`);
      }),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid!, url, bootMs: performance.now() - startedAt, stop };
}

async function becomesReady(url: string): Promise<void> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const answer = await fetch(`${url}/readyz`, { signal: patience }).catch(() => undefined);
    if (answer?.ok) return;
    await delay(PROBE_GAP_MS, undefined, { signal: patience });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
