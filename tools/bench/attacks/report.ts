import { table, verdict } from '../table';
import type { AttackTally } from './order';
import type { Watched } from './victim';
import type { Peak } from './watch';

/** Under an attack, the p99 of another tenant may be at most this many times its idle p99. */
const SLOWER_MAX = 3;
/** Most bytes by which the memory of all services together may grow under an attack. */
const GROWTH_BYTES_MAX = 256 * 1024 ** 2;

export interface AttackOutcome {
  name: string;
  /** One entry per errand, as in `attacked`. */
  idle: Watched[];
  attacked: Watched[];
  calm: Peak;
  peak: Peak;
  tally: AttackTally;
}

/** For each attack: the latencies and errors of the other tenant, and the memory and connections of the services. */
export function attacksTable(errands: string[], outcomes: AttackOutcome[], connectionsMax: number): string {
  const latency = outcomes.flatMap(({ name, idle, attacked }) => [
    [name],
    ...errands.map((errand, place) => latencyRow(errand, idle[place]!, attacked[place]!)),
  ]);
  const usage = outcomes.map((outcome) => usageRow(outcome, connectionsMax));
  return [
    table([['', 'idle p50', 'idle p99', 'p50 ms', 'p99 ms', 'ratio', 'goal', 'errors', ''], ...latency]),
    table([
      ['', 'memory', 'more', 'goal', 'connections', 'goal', '500', '', "the attacker's answers"],
      ...usage,
    ]),
  ].join('\n');
}

function latencyRow(errand: string, idle: Watched, attacked: Watched): string[] {
  const ratio = quantile(attacked, 0.99) / quantile(idle, 0.99);
  const errors = { ...attacked.errors };
  const failed = Object.keys(errors).length > 0;
  return [
    `  ${errand}`,
    ...[quantile(idle, 0.5), quantile(idle, 0.99), quantile(attacked, 0.5), quantile(attacked, 0.99)].map(
      (ms) => ms.toFixed(1),
    ),
    ratio.toFixed(2),
    `<= ${SLOWER_MAX}`,
    counts(errors) || '0',
    verdict(ratio <= SLOWER_MAX && !failed),
  ];
}

function usageRow({ name, calm, peak, tally }: AttackOutcome, connectionsMax: number): string[] {
  const growth = peak.memoryBytes - calm.memoryBytes;
  const internal = tally.answers['500'] ?? 0;
  const reached = growth <= GROWTH_BYTES_MAX && peak.connections <= connectionsMax && internal === 0;
  return [
    name,
    mebibytes(peak.memoryBytes),
    mebibytes(growth),
    `<= ${mebibytes(GROWTH_BYTES_MAX)}`,
    String(peak.connections),
    `<= ${connectionsMax}`,
    String(internal),
    verdict(reached),
    `${counts(tally.answers)} cut: ${tally.cut}`,
  ];
}

const mebibytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(0)} MB`;

const counts = (by: Record<string, number>): string =>
  Object.entries(by)
    .map(([status, count]) => `${status}: ${count}`)
    .join(' ');

function quantile({ latenciesMs }: Watched, share: number): number {
  const sorted = Float64Array.from(latenciesMs).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
