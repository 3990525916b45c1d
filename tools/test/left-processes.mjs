import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Longest wait for processes that are ending. */
const ENDING_MILLISECONDS = 15_000;
const LOOK_MILLISECONDS = 100;

/**
 * Ends the processes that the tests have left behind: those that work in the folder of the run, or have a path in it on
 * their command line. Gives those that are ending their time first.
 *
 * @param {string} folder
 * @returns {Promise<string[]>} a line for each that had to be ended; none on a system without /proc
 */
export async function endLeftProcesses(folder, patienceMilliseconds = ENDING_MILLISECONDS) {
  const until = performance.now() + patienceMilliseconds;
  let left = processesIn(folder);
  while (left.length > 0 && performance.now() < until) {
    await delay(LOOK_MILLISECONDS);
    left = processesIn(folder);
  }
  for (const { pid } of left) end(pid);
  return left.map(({ pid, line }) => `a test left the process ${pid}: ${line}`);
}

function processesIn(folder) {
  return processIds().flatMap((pid) => {
    const line = unlessGone(() => readFileSync(join('/proc', pid, 'cmdline'), 'utf8'));
    const cwd = unlessGone(() => readlinkSync(join('/proc', pid, 'cwd'))) ?? '';
    // A process that has ended has no command line, and waits for its parent alone.
    if (!line || Number(pid) === process.pid) return [];
    const isIn = line.includes(`${folder}/`) || `${cwd}/`.startsWith(`${folder}/`);
    return isIn ? [{ pid: Number(pid), line: line.replaceAll('\0', ' ').trim() }] : [];
  });
}

function processIds() {
  return (unlessGone(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name));
}

/** Undefined for a process that has ended meanwhile, or that is another user's. */
function unlessGone(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
