import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A process, told apart from a later one that was given the same id. */
export interface ProcessIdentity {
  pid: number;
  /** When it began, as this machine tells it; good for nothing but comparing. */
  began: string;
}

/** @returns undefined when there is no such process any more */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const began = process.platform === 'linux' ? await beginOnLinux(pid) : await beginByPs(pid);
  return began === undefined ? undefined : { pid, began };
}

/** Whether the process is there, and no other in its place. */
export async function isThere({ pid, began }: ProcessIdentity): Promise<boolean> {
  return (await identify(pid))?.began === began;
}

/** Clock ticks since the machine's start, which are exact, with the start they count from. */
async function beginOnLinux(pid: number): Promise<string | undefined> {
  const stat = await contentOf(`/proc/${pid}/stat`);
  // The name in brackets may hold anything; the state is the first field after it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined || fields[0] === 'Z') return undefined;
  const boot = await contentOf('/proc/sys/kernel/random/boot_id');
  return `${boot?.trim()}:${fields[19]}`;
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // ESRCH: it ended while its file was being read.
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
