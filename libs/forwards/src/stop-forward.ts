import { setTimeout as delay } from 'node:timers/promises';
import { isThere } from '@plat/local';
import { type ForwardTarget, isForward, matchesForward } from './forward-argv';
import { readProcess, type RunningProcess } from './running-process';

const GRACE_MILLISECONDS = 1000;
const POLL_MILLISECONDS = 10;

/** Whether a process of this user is a port-forward with these ends. Rule H9. */
export function isForwardTo({ argv, isOwn }: RunningProcess, target: ForwardTarget): boolean {
  return isOwn && matchesForward(argv, target);
}

/**
 * Ends a forward: with SIGTERM, and after a second with SIGKILL. Before each signal it checks that the process is the
 * same one and still a port-forward of this user, because an id may belong to another process at any time. Rules G11, H9.
 *
 * @returns whether it has ended; false if it is no port-forward of this user
 */
export async function stopForward(forward: RunningProcess): Promise<boolean> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!(await isThere(forward))) return true;
    const now = await readProcess(forward.pid);
    if (now === undefined || now.began !== forward.began) return !(await isThere(forward));
    if (!now.isOwn || !isForward(now.argv) || !send(forward.pid, signal)) return false;
    const deadline = performance.now() + GRACE_MILLISECONDS;
    while (performance.now() < deadline) {
      if (!(await isThere(forward))) return true;
      await delay(POLL_MILLISECONDS);
    }
  }
  return !(await isThere(forward));
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // ESRCH: it ended meanwhile.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
