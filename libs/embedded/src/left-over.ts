import { readFile, realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ClusterError } from './cluster-error';
import { findProcess } from './running-process';

/** A setting without effect that carries this process's pid in the server's argv, where a later start reads it. */
export const STARTER_SETTING = 'plat.starter_pid';

/** The signals in order, each with the time that the server has to end: fast shutdown, immediate shutdown, kill. */
export const SHUTDOWN_STEPS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
];

/**
 * Clears away what a killed run left: stops a server without its parent, and removes a stale postmaster.pid
 * (PostgreSQL would trust it if another process has that pid by now).
 *
 * @throws ClusterError if the folder is in use, that is, if the process that started the server still runs.
 */
export async function clearLeftOver(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n', 1)[0]);
  if (await servesFolder(pid, data)) await stopOrphan(pid, data);
  await rm(pidFile, { force: true });
}

async function servesFolder(pid: number, data: string): Promise<boolean> {
  const found = await findProcess(pid);
  if (!found || !found.argv.some((word) => basename(word) === 'postgres')) return false;
  const folder = found.argv[found.argv.indexOf('-D') + 1] ?? '';
  const [theirs, ours] = await Promise.all([realpath(folder).catch(() => folder), realpath(data)]);
  return theirs === ours;
}

async function stopOrphan(pid: number, data: string): Promise<void> {
  const server = await findProcess(pid);
  if (!server) return;
  const starter = server.argv.find((word) => word.startsWith(`${STARTER_SETTING}=`))?.split('=')[1];
  if (starter === undefined || server.parentPid === Number(starter)) {
    const by = starter === undefined ? '' : `, started by process ${starter}`;
    throw new ClusterError(`The database in ${data} is in use: PostgreSQL runs as process ${pid}${by}.`);
  }
  for (const [signal, patienceMs] of SHUTDOWN_STEPS) {
    // It may have ended by itself, on its parent-death signal.
    if (await servesFolder(pid, data)) process.kill(pid, signal);
    if (await awaitEnd(pid, data, patienceMs)) return;
  }
  throw new ClusterError(`PostgreSQL (process ${pid}), left over from a killed run, still holds ${data}.`);
}

/** Waits for the end by polling, because the end of another process's child raises no event. */
async function awaitEnd(pid: number, data: string, patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  while (await servesFolder(pid, data)) {
    if (Date.now() > deadline) return false;
    await delay(25);
  }
  return true;
}
