import { table, verdict } from '../table';
import type { Round } from './load';
import type { Outcome } from './rounds';
import type { StartUp } from './start-up';

const HEAD = ['', 'requests/s', 'p50 ms', 'p99 ms', 'ratio', 'goal', ''];

/** The rounds as a table. Below each kind of request are those that it is compared with. */
export function throughputTable(outcomes: Outcome[]): string {
  const rows = outcomes.flatMap(({ workload, service, comparisons }) => [
    [workload.name, ...figures(service)],
    ...comparisons.map(({ yardstick: { name, goal }, measured, ratio }) => [
      `  ${name}`,
      ...figures(measured),
      ratio.toFixed(2),
      `>= ${goal.toFixed(2)}`,
      verdict(ratio >= goal),
    ]),
  ]);
  return table([HEAD, ...rows]);
}

/** Start-up and memory, compared with the start-up of node alone. */
export function startUpTable({ nodeMs, serviceMs, standaloneMs, idleBytes }: StartUp): string {
  const boot = (name: string, milliseconds: number, goal: number) => {
    const ratio = milliseconds / nodeMs;
    return [
      name,
      `${milliseconds.toFixed(0)} ms`,
      `${ratio.toFixed(1)}x`,
      `<= ${goal}x`,
      verdict(ratio <= goal),
    ];
  };
  const mebibytes = idleBytes / 1024 ** 2;
  const memory = Number.isNaN(mebibytes)
    ? ['memory of an idle service', 'unknown here']
    : ['memory of an idle service', `${mebibytes.toFixed(0)} MB`, '', '<= 120 MB', verdict(mebibytes <= 120)];
  return table([
    ['', '', 'ratio', 'goal', ''],
    ['node -e 0', `${nodeMs.toFixed(0)} ms`],
    boot('boot of one service', serviceMs, 12),
    boot('boot of standalone', standaloneMs, 40),
    memory,
  ]);
}

const figures = ({ requestsPerSecond, p50Ms, p99Ms }: Round): string[] => [
  requestsPerSecond.toFixed(0),
  p50Ms.toFixed(2),
  p99Ms.toFixed(2),
];
