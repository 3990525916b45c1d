import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { processTable } from './process-table';

/** A variable of each program that runs in a group, by which processes are found that left the group. */
export const MARK_VARIABLE = 'PLAT_PROGRAM_ID';

const GRACE_MILLISECONDS = 3000;
const POLL_MILLISECONDS = 50;

/** The marks of processes that a program may have left after its leader has ended. */
export interface LeftOver {
  /** Id of its process group. */
  group: number;
  /** The value of its own MARK_VARIABLE. */
  mark: string;
}

/**
 * Ends the processes that a program left: with SIGTERM, and with SIGKILL those that do not end. Of processes that left its
 * group it finds those that kept its variables, on a system that shows the variables of processes. Waits a few seconds at most.
 */
export async function endLeftOver(left: LeftOver): Promise<void> {
  const asked = new Set<number>();
  const began = Date.now();
  for (let waited = 0; waited < 2 * GRACE_MILLISECONDS; waited = Date.now() - began) {
    const running = await findLeftOver(left);
    if (running.length === 0) return;
    for (const pid of running) {
      if (waited >= GRACE_MILLISECONDS) signalProcess(pid, 'SIGKILL');
      else if (!asked.has(pid)) signalProcess(pid, 'SIGTERM');
      asked.add(pid);
    }
    await delay(POLL_MILLISECONDS);
  }
}

/** The ids of the running processes; without those of the group if the machine cannot list them. */
async function findLeftOver({ group, mark }: LeftOver): Promise<number[]> {
  const table = await processTable().catch(() => []);
  const members = table.filter((each) => each.group === group).map(({ pid }) => pid);
  return [...new Set([...members, ...(await findMarked(mark))])];
}

async function findMarked(mark: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => []);
  const ids = entries.filter((name) => /^\d+$/.test(name));
  // The variables of other users' processes cannot be read, and those of an ended process are empty.
  const marked = await Promise.all(
    ids.map((id) =>
      readFile(`/proc/${id}/environ`, 'latin1').then(
        (text) => isMarked(text, mark),
        () => false,
      ),
    ),
  );
  return ids.filter((_id, at) => marked[at]).map(Number);
}

function isMarked(variables: string, mark: string): boolean {
  return variables.split('\0').includes(`${MARK_VARIABLE}=${mark}`);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended, or it has become another user's.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
