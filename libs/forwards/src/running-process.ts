import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { identify, type ProcessIdentity } from '@plat/local';
import { argvOfLine } from './split-line';

/** A process of this machine with its arguments. */
export interface RunningProcess extends ProcessIdentity {
  argv: string[];
}

/** @returns undefined if there is no such process, or its arguments are hidden */
export async function readProcess(pid: number): Promise<RunningProcess | undefined> {
  // A system may hide what other users run.
  const before = await identify(pid).catch(() => undefined);
  if (before === undefined) return undefined;
  const argv = process.platform === 'linux' ? await argvOnLinux(pid) : await argvByPs(pid);
  // The arguments are of this process only if it is still the same one.
  const after = await identify(pid).catch(() => undefined);
  return argv === undefined || after?.began !== before.began ? undefined : { ...before, argv };
}

async function argvOnLinux(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text === '' ? undefined : text.replace(/\0$/, '').split('\0');
}

/** By a system that shows the arguments as one line. */
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

/** When a process began, as an ISO time to the second; undefined if there is no such process. */
export async function startOf(pid: number): Promise<string | undefined> {
  try {
    // The variables of this process are not read here, so the language is set by env.
    const args = ['LC_ALL=C', 'ps', '-o', 'lstart=', '-p', String(pid)];
    const { stdout } = await promisify(execFile)('env', args);
    return new Date(stdout.trim()).toISOString();
  } catch {
    return undefined;
  }
}
