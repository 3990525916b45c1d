import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process as the operating system describes it. */
export interface RunningProcess {
  /** The argument vector it was started with, program first. */
  argv: readonly string[];
  parentPid: number;
}

/** Looks a process up by pid; undefined when there is none, or only a zombie that its parent has not reaped. */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  try {
    return process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  } catch {
    // ENOENT, ESRCH, or ps with exit code 1: the process has ended.
    return undefined;
  }
}

async function fromProc(pid: number): Promise<RunningProcess | undefined> {
  const [stat, cmdline] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
  ]);
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const [state, parentPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  return { argv: cmdline.split('\0').slice(0, -1), parentPid: Number(parentPid) };
}

async function fromPs(pid: number): Promise<RunningProcess | undefined> {
  const column = async (name: string) => (await run('ps', ['-o', `${name}=`, '-p', `${pid}`])).stdout.trim();
  const [state, parentPid, command] = await Promise.all(['state', 'ppid', 'args'].map(column));
  if (!state || state.startsWith('Z')) return undefined;
  return { argv: (command ?? '').split(' '), parentPid: Number(parentPid) };
}
