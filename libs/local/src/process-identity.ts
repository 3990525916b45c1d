import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A process, distinguished from a later one with the same id. */
export interface ProcessIdentity {
  pid: number;
  /** When it began, in a form that depends on the machine and can only be compared. */
  began: string;
}

/** @returns undefined if there is no such process */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const began = process.platform === 'linux' ? await beginOnLinux(pid) : await beginByPs(pid);
  return began === undefined ? undefined : { pid, began };
}

/** Whether exactly this process still runs. */
export async function isThere({ pid, began }: ProcessIdentity): Promise<boolean> {
  return (await identify(pid))?.began === began;
}

/** The exact start in clock ticks since the machine's boot, with the id of that boot. */
async function beginOnLinux(pid: number): Promise<string | undefined> {
  const stat = await contentOf(`/proc/${pid}/stat`);
  // The name in brackets may contain any character; the state is the first field after it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined || fields[0] === 'Z') return undefined;
  const boot = await contentOf('/proc/sys/kernel/random/boot_id');
  return `${boot?.trim()}:${fields[19]}`;
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // ESRCH: the process ended while its file was being read.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  });
}

async function beginByPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    return stdout.trimStart().startsWith('Z') ? undefined : stdout.trim().replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}
