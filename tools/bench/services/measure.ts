import { availableParallelism } from 'node:os';
import { cpuSeconds } from '../cpu';
import { load, type Round } from '../http/load';
import { median } from '../median';
import type { Shape } from './shape';
import type { ServicesWorkload } from './workloads';

export interface Measured {
  shape: string;
  workload: string;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processors that each kind of process used, on average. */
  processors: Record<string, number>;
}

export interface Rounds {
  seconds: number;
  rounds: number;
  signal: AbortSignal;
}

/** Measures shapes in turns, after a round that only warms up. */
export async function measure(
  lanes: { shape: Shape; workload: ServicesWorkload }[],
  { seconds, rounds, signal }: Rounds,
): Promise<Measured[]> {
  const seen = lanes.map(() => ({ rounds: [] as Round[], cpu: {} as Record<string, number>, took: 0 }));
  for (let round = 0; round <= rounds; round++) {
    for (const [place, { shape, workload }] of lanes.entries()) {
      signal.throwIfAborted();
      const [before, beganAt] = [await cpuOf(shape), performance.now()];
      const { url, token } = shape;
      const figures = await load({ url, token, seconds, next: (connection) => workload.next(connection) });
      if (round === 0) continue;
      const { rounds: kept, cpu } = seen[place]!;
      kept.push(figures);
      seen[place]!.took += (performance.now() - beganAt) / 1000;
      for (const [kind, used] of Object.entries(await cpuOf(shape))) {
        cpu[kind] = (cpu[kind] ?? 0) + used - before[kind]!;
      }
    }
  }
  return lanes.map(({ shape, workload }, place) => {
    const { rounds: kept, cpu, took } = seen[place]!;
    return {
      shape: shape.name,
      workload: workload.name,
      requestsPerSecond: median(kept.map((each) => each.requestsPerSecond)),
      p50Ms: median(kept.map((each) => each.p50Ms)),
      p99Ms: median(kept.map((each) => each.p99Ms)),
      processors: Object.fromEntries(Object.entries(cpu).map(([kind, used]) => [kind, used / took])),
    };
  });
}

/** CPU seconds by kind of process; `load` is what sends the requests. */
async function cpuOf({ processes }: Shape): Promise<Record<string, number>> {
  const { user, system } = process.cpuUsage();
  const entries = await Promise.all(
    Object.entries(processes).map(async ([kind, pids]) => {
      const used = await Promise.all(pids.map(cpuSeconds));
      return [kind, used.reduce((sum, each) => sum + each, 0)] as const;
    }),
  );
  return { ...Object.fromEntries(entries), load: (user + system) / 1e6 };
}

/** A share of the processors above which they are the limit. */
const BUSY = 0.85;

/** Names the limit: the processors, and which part uses most of them; or a single process that uses one whole. */
export function saturated({ processors }: Measured): string {
  const parts = Object.entries(processors).sort(([, one], [, other]) => other - one);
  const total = parts.reduce((sum, [, used]) => sum + used, 0);
  const [most, used] = parts[0]!;
  if (total > BUSY * availableParallelism()) return `all processors, most by ${most}`;
  return used > BUSY ? most : 'none of these (waits, or other programs)';
}
