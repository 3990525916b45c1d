import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Reads the resident memory of a process from the kernel (Linux). */
export async function residentBytes(processId: number): Promise<number> {
  return 1024 * (await statusOf(`/proc/${processId}`, 'VmRSS'));
}

/** How often the process's threads have waited for something by themselves, over the time. */
export async function wakeUpsPerSecond(processId: number, seconds: number): Promise<number> {
  const before = await wakeUps(processId);
  await delay(seconds * 1000);
  return ((await wakeUps(processId)) - before) / seconds;
}

async function wakeUps(processId: number): Promise<number> {
  const tasks = `/proc/${processId}/task`;
  const counts = (await readdir(tasks)).map((task) =>
    statusOf(`${tasks}/${task}`, 'voluntary_ctxt_switches'),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** User and system time so far, in seconds. */
export async function processorSeconds(processId: number): Promise<number> {
  const text = await readFile(`/proc/${processId}/stat`, 'utf8');
  // The second field is a name in brackets, which may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Linux shows times in these units on every processor that Node runs on. */
const TICKS_PER_SECOND = 100;

async function statusOf(folder: string, name: string): Promise<number> {
  const text = await readFile(`${folder}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? NaN);
}
