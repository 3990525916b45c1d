import { table } from '../table';
import type { Figures } from './measure';

const HEAD = ['', 'kubectl', 'plat', 'ratio', 'goal'];

/** A line of the table: what to read, with how many digits, and the goal for it. */
interface Line {
  name: string;
  read(figures: Figures): number;
  digits?: number;
  goal?: string;
}

const mebibytes =
  (field: 'residentBytes' | 'residentEarly' | 'residentLate') =>
  (figures: Figures): number =>
    figures[field] / 1024 ** 2;

const LINES: Line[] = [
  { name: 'down, MiB/s', read: ({ down }) => down, goal: '>= 1.00x' },
  { name: 'up, MiB/s', read: ({ up }) => up, goal: '>= 1.00x' },
  { name: '  processor for a GiB both ways, s', read: ({ processorSeconds }) => processorSeconds, digits: 2 },
  {
    name: 'first byte of a fresh connection, ms',
    read: ({ firstByteMs }) => firstByteMs,
    digits: 2,
    goal: '<= 1.20x',
  },
  { name: '  95th percentile', read: ({ firstByteP95Ms }) => firstByteP95Ms, digits: 2 },
  { name: '200 connections at once, ms', read: ({ atOnceMs }) => atOnceMs },
  { name: '  failed', read: ({ atOnceFailed }) => atOnceFailed, goal: '0' },
  { name: 'memory after 1 GiB, MB', read: mebibytes('residentBytes'), goal: '<= 100' },
  { name: '  and 1,000 connections', read: mebibytes('residentEarly') },
  { name: '  and 9,000 more', read: mebibytes('residentLate'), goal: 'no growth' },
  { name: '  failed', read: ({ manyFailed }) => manyFailed, goal: '0' },
  { name: 'idle wake-ups per second', read: ({ wakeUps }) => wakeUps, digits: 1, goal: '0' },
];

/** Both contenders' figures, and the goals. It judges nothing. */
export function forwardsTable(kubectl: Figures, plat: Figures): string {
  const rows = LINES.map(({ name, read, digits = 0, goal = '' }) => {
    const [theirs, ours] = [read(kubectl), read(plat)];
    const ratio = theirs === 0 ? '' : `${(ours / theirs).toFixed(2)}x`;
    return [name, theirs.toFixed(digits), ours.toFixed(digits), ratio, goal];
  });
  return table([HEAD, ...rows]);
}
