import { execFile, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { untrustedVariables } from '../environment';
import { signalGroup } from '../processes/group-signal';
import { processTable } from '../processes/process-table';
import type { PassedNames } from '../secret-variables';

const GRACE_MILLISECONDS = 5000;
const POLL_MILLISECONDS = 50;

/** Runs the command and writes its exit code atomically into the file that `$0` names. */
const SUPERVISOR = '"$@"; code=$?; printf %s "$code" > "$0.new" && mv "$0.new" "$0"; exit "$code"';

export interface JobFiles {
  output: string;
  exitCode: string;
}

/** A command that becomes a job. */
export interface JobCommand {
  command: string[];
  folder: string;
  /** The user's secrets that it gets, by the names of their variables. Default none. */
  passed?: PassedNames;
}

/** Starts the command in a process group of its own, which outlives this process. @returns its leader */
export async function startProcess(
  { command, folder, passed = [] }: JobCommand,
  files: JobFiles,
): Promise<number> {
  const output = await open(files.output, 'a', 0o600);
  try {
    const child = spawn('/bin/sh', ['-c', SUPERVISOR, files.exitCode, ...command], {
      cwd: folder,
      env: untrustedVariables({}, passed),
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    return child.pid ?? 0;
  } finally {
    await output.close();
  }
}

/** Whether the process is the job's own, because its id may have been assigned again. */
export async function isOwnProcess(pid: number, files: JobFiles): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'stat=,args=', '-p', String(pid)]);
    return stdout.includes(files.exitCode) && !stdout.trimStart().startsWith('Z');
  } catch {
    return false;
  }
}

/**
 * Ends the job's processes with SIGTERM, and with SIGKILL if they do not end. The shell that began the job ends at once,
 * so all processes of its group are waited for.
 */
export async function stopProcess(pid: number, files: JobFiles): Promise<void> {
  if (!(await isOwnProcess(pid, files))) return;
  signalGroup(pid, 'SIGTERM');
  const deadline = Date.now() + GRACE_MILLISECONDS;
  while ((await processTable()).some(({ group }) => group === pid)) {
    if (Date.now() > deadline) signalGroup(pid, 'SIGKILL');
    await delay(POLL_MILLISECONDS);
  }
}
