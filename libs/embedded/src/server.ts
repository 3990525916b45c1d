import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ClusterError } from './cluster-error';
import type { Launcher } from './launcher';
import { SHUTDOWN_STEPS, STARTER_SETTING } from './left-over';
import { keepLastLog, readServerLog, type ServerLog } from './server-log';

/** Long enough for crash recovery on a slow disk. A server that ends is noticed at once. */
const START_PATIENCE_MS = 120_000;

/** A standby accepts read-only connections. */
const READY = /database system is ready to accept (read-only )?connections/;

/** PostgreSQL's own settings: what was committed survives a crash of the machine. */
const DURABLE = {};
/** For throw-away databases: nothing survives a crash of the machine, everything is faster. */
const NOT_DURABLE = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // In the cluster's folder, which is removed: what is in /dev/shm would outlive a server that is killed.
  dynamic_shared_memory_type: 'mmap',
};

export interface ServerOptions {
  launcher: Launcher;
  postgres: string;
  data: string;
  port: number;
  durable: boolean;
  settings: Readonly<Record<string, string>>;
  logFile: string | undefined;
}

/** A server process that accepts connections. */
export interface RunningServer {
  pid: number;
  /** Resolves when the process has ended for any reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

/** The server ended or did not become ready. `log` holds its last lines. */
export class ServerStartError extends ClusterError {
  constructor(
    data: string,
    readonly log: string,
  ) {
    super(`PostgreSQL did not start on ${data}. Its last words:\n${log || '(none)'}`);
  }
}

/** Starts the server and waits until it says that it accepts connections. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  if (options.logFile) await keepLastLog(options.logFile);
  const child = options.launcher.start(options.postgres, serverArguments(options));
  const exited = endOf(child);
  // Nothing may be awaited from here until the log has a listener: the server says only once that it is ready.
  const log = readServerLog(child.stderr as Readable, options.logFile);
  const stop = () => shutDown(child, exited);
  if (!(await becomesReady(log, exited))) {
    await stop();
    throw new ServerStartError(options.data, log.tail());
  }
  return { pid: child.pid as number, exited, stop };
}

function serverArguments({ data, port, durable, settings }: ServerOptions): string[] {
  const all: Record<string, string> = {
    ...(durable ? DURABLE : NOT_DURABLE),
    ...settings,
    port: `${port}`,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    [STARTER_SETTING]: `${process.pid}`,
  };
  return ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Waits for `close`, after which all of stderr has been read. */
function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
}

async function becomesReady(log: ServerLog, exited: Promise<void>): Promise<boolean> {
  const patience = new AbortController();
  const ready = new Promise<boolean>((resolve) =>
    log.onLine((line) => {
      if (READY.test(line)) resolve(true);
    }),
  );
  const late = delay(START_PATIENCE_MS, false, { signal: patience.signal }).catch(() => false);
  const outcome = await Promise.race([ready, exited.then(() => false), late]);
  patience.abort();
  return outcome;
}

async function shutDown(child: ChildProcess, exited: Promise<void>): Promise<void> {
  for (const [signal, patienceMs] of SHUTDOWN_STEPS) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) break;
    child.kill(signal);
    const patience = new AbortController();
    await Promise.race([
      once(child, 'exit', { signal: patience.signal }),
      delay(patienceMs, undefined, { signal: patience.signal }),
    ]).finally(() => patience.abort());
  }
  await exited;
}
