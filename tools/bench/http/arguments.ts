import { parseArgs } from 'node:util';
import { UsageError } from '../part';

export interface BenchArguments {
  /** Length of a measured round in seconds. Default 1. */
  seconds: number;
  /** Measured rounds of each server and kind of request. Default 5. */
  rounds: number;
}

export const OPTIONS = `    --seconds N   length of a round (default 1)
    --rounds N    rounds of each server and kind of request (default 5)`;

/** @throws UsageError */
export function parseArguments(args: string[]): BenchArguments {
  const { values } = parse(args);
  return {
    seconds: positive('seconds', values.seconds ?? '1'),
    rounds: positive('rounds', values.rounds ?? '5'),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        seconds: { type: 'string' },
        rounds: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new UsageError(`--${name} must be a number above 0`);
  return value;
}
