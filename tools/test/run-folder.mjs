import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { unmountIn } from './left-mounts.mjs';
import { endProcesses, processesOf } from './left-processes.mjs';

const IN_MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const GIB = 2 ** 30;
/** Far more than a run of all tests holds at a time. */
const SPACE_MIN = 2 * GIB;
const MEMORY_MIN = 4 * GIB;
const PREFIX = 'plat-run-';
const REMOVAL = { recursive: true, force: true, maxRetries: 3 };

/**
 * Makes a folder for all temporary files of this process and its children, and removes it when the process ends. It is
 * in memory if the machine has room there: the tests make and remove some hundred thousand small files, and on a disk
 * half of git's time goes into finding free inodes for them. What an earlier run left after SIGKILL, its processes
 * included, is removed first.
 *
 * @param {{memory?: string, disk?: string, wantsMemory?: boolean}} [places] parents of the folder
 * @returns {string}
 */
export function makeRunFolder({ memory = IN_MEMORY, disk = tmpdir(), wantsMemory = true } = {}) {
  for (const parent of [memory, disk]) removeLeft(parent);
  const inMemory = wantsMemory && isRoomy(memory) ? folderThatRunsPrograms(memory) : undefined;
  const folder = inMemory ?? newFolder(disk);
  const removeIt = () => remove(folder);
  process.once('exit', removeIt);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      endProcesses(processesOf(folder));
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

/** A new folder, named by this process. */
function newFolder(parent) {
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // PostgreSQL, which runs as a user of its own if the tests run as root, has to get through.
  chmodSync(folder, 0o711);
  return folder;
}

/** Undefined if programs cannot run there: containers often mount their memory so, and the tests write hooks. */
function folderThatRunsPrograms(parent) {
  try {
    const folder = newFolder(parent);
    if (runsPrograms(folder)) return folder;
    remove(folder);
  } catch {
    // Only the owner may write there.
  }
  return undefined;
}

/** Removes the folders of this user's runs that were killed, and ends what they left running. */
function removeLeft(parent) {
  for (const name of listFolder(parent).filter(isLeft)) {
    const folder = join(parent, name);
    if (!isOwnFolder(folder)) continue;
    endProcesses(processesOf(folder));
    unmountIn(folder);
    remove(folder);
  }
}

function listFolder(parent) {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}

/** Removes a folder. The next run removes what this one cannot, such as a file that a dying process is still writing. */
function remove(folder) {
  try {
    try {
      rmSync(folder, REMOVAL);
    } catch {
      allowRemoval(folder);
      rmSync(folder, REMOVAL);
    }
  } catch (error) {
    process.stderr.write(`${folder} is not removed: ${error.message}\n`);
  }
}

/** Gives back the rights to folders below: a test may have taken them away. */
export function allowRemoval(folder) {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) allowRemoval(join(folder, entry.name));
  }
}

function isLeft(name) {
  const [, pid] = /^plat-run-(\d+)-/.exec(name) ?? [];
  return pid !== undefined && !isRunning(Number(pid));
}

/**
 * Whether the path is a folder of this user. The parent is everybody's: another user may give a link to this user's home the
 * name of a run, and `rmSync` empties what such a link leads to.
 */
function isOwnFolder(path) {
  try {
    const found = lstatSync(path);
    return found.isDirectory() && found.uid === (process.geteuid?.() ?? found.uid);
  } catch {
    return false;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

function runsPrograms(folder) {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
