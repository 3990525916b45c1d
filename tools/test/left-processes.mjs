import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * The processes of a test run: those whose arguments, variables or working folder name the run's folder. Linux alone
 * shows these of a process; elsewhere the list is empty.
 *
 * @param {string} folder
 * @returns {{pid: number, command: string}[]} without this process
 */
export function processesOf(folder) {
  return listPids().flatMap((pid) => {
    const about = join('/proc', String(pid));
    const command = read(join(about, 'cmdline')).replaceAll('\0', ' ').trim();
    // A process that has ended and waits for its parent has no arguments.
    if (command === '') return [];
    const isOfRun = [command, read(join(about, 'environ')), link(join(about, 'cwd'))].some((text) =>
      text.includes(folder),
    );
    return isOfRun ? [{ pid, command }] : [];
  });
}

/** The longest time that a process may take to end after its last signal. */
const GRACE_MS = 10_000;
const PAUSE_MS = 100;

/** The processes of a run that have not ended after a time of grace; an empty list as soon as all have. */
export async function waitForProcessesOf(folder) {
  const end = Date.now() + GRACE_MS;
  let left = processesOf(folder);
  // The processes are of other parents, so their end can only be looked up.
  while (left.length > 0 && Date.now() < end) {
    await setTimeout(PAUSE_MS);
    left = processesOf(folder);
  }
  return left;
}

/** The shared memory of a PostgreSQL: a name that outlives its processes. */
const SEGMENT = /\/dev\/shm\/PostgreSQL\.\d+/g;

/** Kills processes that nothing waits for, and removes the shared memory that a PostgreSQL among them leaves then. */
export function endProcesses(processes) {
  const segments = new Set(processes.flatMap(({ pid }) => segmentsOf(pid)));
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  for (const segment of segments) rmSync(segment, { force: true });
}

/** The segments that a process has mapped. */
export function segmentsOf(pid) {
  return read(join('/proc', String(pid), 'maps')).match(SEGMENT) ?? [];
}

function listPids() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid !== process.pid);
  } catch {
    return [];
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function link(path) {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
