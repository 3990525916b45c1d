import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../environment';
import { jobsOf } from '../jobs/job-store';
import { environmentLeases } from '../leases/claims';
import {
  type AttachedProcess,
  beganAt,
  isProbeEnvironment,
  type OpenTerminal,
  type PodSnapshot,
  processStat,
  trafficOf,
} from './pod-snapshot';

/** Where Linux shows its processes and terminals. */
export interface SystemFolders {
  processes: string;
  terminals: string;
}

export const SYSTEM_FOLDERS: SystemFolders = { processes: '/proc', terminals: '/dev/pts' };

/** Reads what a pod does now. @throws Failure NO_ENVIRONMENT, INVALID_VARIABLES; errors of a system that is no Linux */
export async function readPod(environment: Environment, folders = SYSTEM_FOLDERS): Promise<PodSnapshot> {
  const text = (...path: string[]) => readFile(join(folders.processes, ...path), 'utf8');
  const [leases, jobs] = [environmentLeases(environment), jobsOf(environment)];
  // Before the lists: a use that is not seen in one of them is seen at the next look.
  const [leaseUsedAt, jobUsedAt] = await Promise.all([leases.readLastUse(), jobs.readLastUse()]);
  const [machine, first, network, held, all, terminals, attached] = await Promise.all([
    text('stat'),
    text('1', 'stat'),
    text('net', 'dev'),
    leases.list(),
    jobs.list(),
    openTerminals(folders.terminals),
    listAttachedProcesses(folders.processes),
  ]);
  return {
    now: Date.now(),
    monotonic: Number(process.hrtime.bigint() / 1_000_000n),
    startedAt: beganAt(machine, processStat(first).startTicks),
    terminals,
    attached,
    trafficBytes: trafficOf(network),
    leaseHolders: held.map(({ holder }) => holder),
    leaseUsedAt,
    runningJobs: all.filter(({ status }) => status === 'RUNNING').length,
    jobUsedAt,
  };
}

/** Linux sets the time of access of a terminal when a program reads input from it. */
async function openTerminals(folder: string): Promise<OpenTerminal[]> {
  const names = (await orGone(readdir(folder))) ?? [];
  const read = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      const found = await orGone(stat(join(folder, name)));
      return found && { number: Number(name), lastInputAt: found.atimeMs };
    });
  return (await Promise.all(read)).filter((terminal) => terminal !== undefined);
}

async function listAttachedProcesses(folder: string): Promise<AttachedProcess[]> {
  const ids = (await readdir(folder)).filter((name) => /^\d+$/.test(name));
  const read = ids.map(async (id) => {
    const text = await orGone(readFile(join(folder, id, 'stat'), 'utf8'));
    const terminal = text === undefined ? undefined : processStat(text).terminal;
    if (terminal === undefined) return undefined;
    const environ = await orGone(readFile(join(folder, id, 'environ'), 'utf8'));
    return { terminal, isProbe: environ !== undefined && isProbeEnvironment(environ) };
  });
  return (await Promise.all(read)).filter((each) => each !== undefined);
}

/** Undefined if what is read has ended meanwhile (ESRCH: a process), or belongs to another user. */
async function orGone<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code ?? '')) return undefined;
    throw error;
  });
}
