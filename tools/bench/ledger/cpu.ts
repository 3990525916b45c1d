import { readFile } from 'node:fs/promises';

const TICKS_A_SECOND = 100;
/** Places in /proc/<pid>/stat after the program's name: time of the process itself and of its ended children. */
const TIMES = [11, 12, 13, 14];

/** CPU seconds that a process and all below it have used; NaN if the system does not report it. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = TIMES.map((place) => Number(fields[place])).reduce((sum, ticks) => sum + ticks, 0);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => '');
  const below = await Promise.all(children.split(' ').filter(Boolean).map(Number).map(cpuSeconds));
  // A child that ends meanwhile counts with its parent the next time.
  return below
    .filter((seconds) => !Number.isNaN(seconds))
    .reduce((sum, each) => sum + each, own / TICKS_A_SECOND);
}

/** The process that PostgreSQL's sessions come from, by the process of one of them. */
export async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
