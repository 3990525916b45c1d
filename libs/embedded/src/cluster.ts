import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@plat/local';
import { type Binaries, findBinaries } from './binaries';
import { clusterFolder, holdsDatabase, keepOwnerPassword, prepareFolder } from './cluster-folder';
import { chooseClusterUser } from './cluster-user';
import { initialize, OWNER } from './initialize';
import { chooseLauncher } from './launcher';
import { clearLeftOver } from './left-over';
import { type RunningServer, type ServerOptions, ServerStartError, startServer } from './server';

export interface ClusterOptions {
  /** A folder for this cluster alone; made when missing. Holds `data/` and the owner's `password` (0600). */
  dataDir: string;
  /** Default 0: a free port, which may differ from start to start. */
  port?: number;
  /** False turns off every fsync, for tests: a crash of the machine may lose the whole cluster. */
  durable: boolean;
  /** Further server settings, by their names in postgresql.conf. */
  settings?: Readonly<Record<string, string>>;
  /** The programs of another installation; default: those that npm installed for this machine. */
  binaries?: Binaries;
  /** The file of the server's log. The log of the start before is kept as `<file>.1`. Default: no log. */
  logFile?: string;
}

/** A PostgreSQL server of our own, on 127.0.0.1 alone. */
export interface EmbeddedCluster {
  pid: number;
  port: number;
  /** The superuser's connection URL, password included. Default database: `postgres`. */
  url(database?: string): string;
  /** Resolves when the server has ended for any reason. */
  exited: Promise<void>;
  /** Fast shutdown: open connections are cut, nothing committed is lost. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the cluster in `dataDir`. Makes it first if there is none yet, and stops a server that a killed
 * run left on it.
 *
 * @throws ClusterError when the folder is damaged, in use or out of reach, or the server does not start.
 */
export async function startCluster(options: ClusterOptions): Promise<EmbeddedCluster> {
  const binaries = options.binaries ?? findBinaries();
  const folder = clusterFolder(options.dataDir);
  const user = await chooseClusterUser(folder.data);
  const launcher = await chooseLauncher(binaries, user);
  await prepareFolder(folder, user);
  const exists = await holdsDatabase(folder, binaries.major);
  const password = await keepOwnerPassword(folder, { user, exists });
  if (exists) await clearLeftOver(folder.data);
  else await initialize({ folder, binaries, launcher, user, durable: options.durable });
  const { server, port } = await serve(options.port ?? 0, {
    launcher,
    postgres: binaries.postgres,
    data: folder.data,
    durable: options.durable,
    settings: options.settings ?? {},
    logFile: options.logFile,
  });
  return {
    pid: server.pid,
    port,
    url: (database = 'postgres') =>
      `postgres://${OWNER}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
    exited: server.exited,
    stop: () => server.stop(),
  };
}

const ATTEMPTS_MAX = 50;
const ATTEMPT_GAP_MS = 200;

/** Starts the server, and tries again if the reason of the failure passes by itself. */
async function serve(
  wantedPort: number,
  options: Omit<ServerOptions, 'port'>,
): Promise<{ server: RunningServer; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = wantedPort || (await findFreePort());
    try {
      return { server: await startServer({ ...options, port }), port };
    } catch (error) {
      const passes = error instanceof ServerStartError && passesByItself(error.log, wantedPort);
      if (!passes || attempt === ATTEMPTS_MAX) throw error;
      await delay(ATTEMPT_GAP_MS);
    }
  }
}

/** Backends of a server that was killed -9 hold its memory for a moment, and another process may take a free port. */
function passesByItself(log: string, wantedPort: number): boolean {
  if (log.includes('pre-existing shared memory block')) return true;
  return wantedPort === 0 && log.includes('Address already in use');
}
