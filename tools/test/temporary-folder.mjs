import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const GIB = 2 ** 30;
/** Far more than a run of all tests holds at a time. */
const SPACE_MIN = 2 * GIB;
const MEMORY_MIN = 4 * GIB;
const PREFIX = 'plat-run-';

/**
 * Makes a folder in memory for the temporary files of this process and its children, and removes it when the process
 * ends. The tests make and remove some hundred thousand small files: on a disk's file system, half of git's time goes
 * into finding free inodes for them.
 *
 * @returns undefined if the machine has no such place, too little of it, or one that runs no programs
 */
export function temporaryFolderInMemory(parent = IN_MEMORY) {
  return isRoomy(parent) ? temporaryFolderIn(parent) : undefined;
}

/** The same in the usual place for temporary files, so that what a test leaves there goes with the run too. */
export function temporaryFolderOnDisk(parent = tmpdir()) {
  return temporaryFolderIn(parent);
}

function temporaryFolderIn(parent) {
  const folder = usable(parent);
  if (folder === undefined) return undefined;
  const removeIt = () => remove(folder);
  process.once('exit', removeIt);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      removeIt();
      process.kill(process.pid, signal);
    });
  }
  return folder;
}

function isRoomy(parent) {
  try {
    const { type, bavail, bsize } = statfsSync(parent);
    return type === TMPFS && bavail * bsize >= SPACE_MIN && freemem() >= MEMORY_MIN;
  } catch {
    return false;
  }
}

/** A new folder, named by this process; those of processes that were killed are removed. */
function usable(parent) {
  try {
    readdirSync(parent)
      .filter(isLeft)
      .forEach((name) => remove(join(parent, name)));
    const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
    // PostgreSQL, which runs as a user of its own if the tests run as root, has to get through.
    chmodSync(folder, 0o711);
    if (runsPrograms(folder)) return folder;
    remove(folder);
  } catch {
    // Nobody but its owner may write there.
  }
  return undefined;
}

/** Removes a folder. The next run removes what this one cannot, such as a file that a dying process is still writing. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    process.stderr.write(`${folder} is not removed: ${error.message}\n`);
  }
}

function isLeft(name) {
  const [, pid] = /^plat-run-(\d+)-/.exec(name) ?? [];
  return pid !== undefined && !isRunning(Number(pid));
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** Containers often mount it without the right to run programs; the tests write hooks there. */
function runsPrograms(folder) {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
