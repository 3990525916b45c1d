import type { ChildProcess } from 'node:child_process';
import { descendantsOf } from './process-table';

/**
 * Ends a program and all processes that it has started: otherwise a transfer from a silent remote or a merge driver
 * would outlive it. For a program that stays in the terminal's own group, so that it can ask there for a password.
 */
export async function endWithStarted(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  // Listed before it ends, because afterwards their parent is unknown.
  const started = await descendantsOf(child.pid);
  child.kill('SIGTERM');
  for (const pid of started) askToEnd(pid);
}

function askToEnd(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
