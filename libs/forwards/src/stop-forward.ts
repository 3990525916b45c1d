import { setTimeout as delay } from 'node:timers/promises';
import { isThere } from '@plat/local';
import { isForward } from './forward-argv';
import { readProcess, type RunningProcess } from './running-process';

const GRACE_MILLISECONDS = 1000;
const POLL_MILLISECONDS = 10;

/**
 * Ends a forward: with SIGTERM, and after a second with SIGKILL. Before each signal it checks that the process is the
 * same one and still a port-forward, because an id may belong to another process at any time. Decisions G11, H9.
 *
 * @returns whether it has ended; false if it is no port-forward, or may not be signalled
 */
export async function stopForward(forward: RunningProcess): Promise<boolean> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!(await isThere(forward))) return true;
    const now = await readProcess(forward.pid);
    if (now === undefined || now.began !== forward.began) return !(await isThere(forward));
    if (!isForward(now.argv) || !send(forward.pid, signal)) return false;
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
