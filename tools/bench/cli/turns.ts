import { median } from '../median';

/** Something that takes time: a process, run to its end. */
export interface Runner {
  name: string;
  run(): Promise<unknown>;
}

/** A runner that should take at most `goal` times as long as the yardstick. */
export interface Contender extends Runner {
  goal: number;
}

export interface TurnsOptions {
  runs: number;
  signal: AbortSignal;
  /** Called before each run to restore the start state; its time does not count. */
  before?(): Promise<unknown>;
}

export interface Measured extends Contender {
  /** Median of the runs. */
  milliseconds: number;
  /** Median of the ratios to the yardstick, each computed from the runs of one turn. */
  ratio: number;
}

/** Runs the yardstick and the others in turns, so that other load on the machine affects all alike. */
export async function inTurns(
  yardstick: Runner,
  contenders: readonly Contender[],
  { runs, signal, before }: TurnsOptions,
): Promise<{ yardstick: Runner & { milliseconds: number }; measured: Measured[] }> {
  const runners = [yardstick, ...contenders];
  const times: number[][] = runners.map(() => []);
  // The first turn only fills the caches.
  for (let turn = 0; turn <= runs; turn++) {
    const order = [...runners.keys()];
    // Every other turn runs backwards, because the first runner meets other caches than the rest.
    if (turn % 2 === 1) order.reverse();
    for (const place of order) {
      signal.throwIfAborted();
      await before?.();
      const startedAt = performance.now();
      await runners[place]!.run();
      if (turn > 0) times[place]!.push(performance.now() - startedAt);
    }
  }
  const [base = [], ...others] = times;
  return {
    yardstick: { ...yardstick, milliseconds: median(base) },
    measured: contenders.map((contender, place) => ({
      ...contender,
      milliseconds: median(others[place]!),
      ratio: median(others[place]!.map((time, turn) => time / base[turn]!)),
    })),
  };
}
