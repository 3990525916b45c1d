import { readFileSync } from 'node:fs';

/** Linux counts a process's time in ticks. */
const TICKS_PER_SECOND = 100;
/** Fields 14 and 15 of proc(5) stat, counted from the state, which is the third. */
const [USER_TICKS, SYSTEM_TICKS] = [11, 12];

/** The resources that one process, or several together, have used so far. */
export interface Used {
  processorSeconds: number;
  /** The most resident memory of each, in bytes, added up; node's own program, which all of them map, counts once. */
  peakBytes: number;
}

/** Sums the use of this process and those it has started. @throws Error if the system does not report the latter */
export function usedByFamily(): Used {
  const { user, system } = process.cpuUsage();
  const own = { processorSeconds: (user + system) / 1e6, peakBytes: process.resourceUsage().maxRSS * 1024 };
  return childrenOf(process.pid).map(usedBy).reduce(sum, own);
}

/** Ids of the processes that the given one has started. @throws Error if the given one has ended */
export function childrenOf(processId: number): string[] {
  const pids = readFileSync(`/proc/${processId}/task/${processId}/children`, 'latin1').trim();
  return pids === '' ? [] : pids.split(' ');
}

/** Reads the use of one process so far. @throws Error if it has ended */
export function usedBy(pid: string): Used {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
  return {
    processorSeconds: ticks / TICKS_PER_SECOND,
    peakBytes: (kilobytes(status, 'VmHWM') - kilobytes(status, 'RssFile')) * 1024,
  };
}

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
}

const sum = (one: Used, other: Used): Used => ({
  processorSeconds: one.processorSeconds + other.processorSeconds,
  peakBytes: one.peakBytes + other.peakBytes,
});
