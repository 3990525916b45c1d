import { median } from '../median';
import { load, type Round } from './load';
import type { Workload, Yardstick } from './workloads';

export interface Lane {
  workload: Workload;
  token: string;
  serviceUrl: string;
  limitUrl: string;
}

export interface RoundsOptions {
  seconds: number;
  rounds: number;
  signal: AbortSignal;
}

/** Medians over all rounds. */
export interface Comparison {
  yardstick: Yardstick;
  measured: Round;
  /** Median of the ratios of the service to the yardstick, each computed within one round. */
  ratio: number;
}

export interface Outcome {
  workload: Workload;
  service: Round;
  comparisons: Comparison[];
}

/** The first seconds are not measured: in them, code is compiled and caches fill on both sides. */
const WARM_UP_SECONDS_MIN = 3;

/** Measures the service and its yardsticks in turns, so that other load on the machine affects all alike. */
export async function compare(lane: Lane, { seconds, rounds, signal }: RoundsOptions): Promise<Outcome> {
  const { workload, token, serviceUrl, limitUrl } = lane;
  const runners = [
    { url: serviceUrl, next: workload.next },
    ...workload.yardsticks.map(({ server, next }) => ({
      url: server === 'limit' ? limitUrl : serviceUrl,
      next,
    })),
  ];
  const measure = async (runner: (typeof runners)[number], length: number): Promise<Round> => {
    signal.throwIfAborted();
    const round = await load({ ...runner, token, seconds: length });
    await workload.restore?.();
    return round;
  };
  for (const runner of runners) await measure(runner, Math.max(seconds, WARM_UP_SECONDS_MIN));
  const results: Round[][] = runners.map(() => []);
  for (let round = 0; round < rounds; round++) {
    // Every other round runs backwards, because the first runner meets other caches than the rest.
    const order = [...runners.keys()];
    if (round % 2 === 1) order.reverse();
    for (const place of order) results[place]!.push(await measure(runners[place]!, seconds));
  }
  const [service = [], ...others] = results;
  return {
    workload,
    service: summary(service),
    comparisons: others.map((measured, place) => ({
      yardstick: workload.yardsticks[place]!,
      measured: summary(measured),
      ratio: median(
        measured.map((round, turn) => service[turn]!.requestsPerSecond / round.requestsPerSecond),
      ),
    })),
  };
}

function summary(rounds: Round[]): Round {
  return {
    requestsPerSecond: median(rounds.map(({ requestsPerSecond }) => requestsPerSecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  };
}
