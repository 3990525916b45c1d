import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { identify, type ProcessIdentity } from '@plat/local';
import { argvOfLine } from './split-line';

/** A process of this machine with its arguments. */
export interface RunningProcess extends ProcessIdentity {
  argv: string[];
  /** Whether it runs as this user: another one may give a process any arguments. */
  isOwn: boolean;
}

/** @returns undefined if there is no such process, or its arguments are hidden */
export async function readProcess(pid: number): Promise<RunningProcess | undefined> {
  // A system may hide what other users run.
  const before = await identify(pid).catch(() => undefined);
  if (before === undefined) return undefined;
  const isLinux = process.platform === 'linux';
  const [argv, user] = await Promise.all(
    isLinux ? [argvOnLinux(pid), userOnLinux(pid)] : [argvByPs(pid), column('uid', pid)],
  );
  // The arguments are of this process only if it is still the same one.
  const after = await identify(pid).catch(() => undefined);
  if (argv === undefined || after?.began !== before.began) return undefined;
  return { ...before, argv, isOwn: user !== undefined && Number(user) === process.geteuid?.() };
}

/** The effective user, whose rights the process has. */
async function userOnLinux(pid: number): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^Uid:\t\d+\t(\d+)/m.exec(status)?.[1];
}

async function argvOnLinux(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text === '' ? undefined : text.replace(/\0$/, '').split('\0');
}

/** The arguments from a system that shows them as one line. */
export async function argvByPs(pid: number): Promise<string[] | undefined> {
  const [line, program] = await Promise.all([column('args', pid), column('comm', pid)]);
  return line === undefined || line === '' ? undefined : argvOfLine(line, program ?? '');
}

async function column(name: string, pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', `${name}=`, '-p', String(pid)]);
    return stdout.trim();
  } catch {
    return undefined;
  }
}
