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
  return argumentsOf(parse(args, {}));
}

/**
 * Like `parseArguments`, and also reads `--only TEXT`, which chooses the cases of a part.
 *
 * @throws UsageError
 */
export function parseChoice(args: string[]): BenchArguments & { only: string } {
  const values = parse(args, { only: { type: 'string' } });
  return { ...argumentsOf(values), only: values.only ?? '' };
}

type Values = Partial<Record<'seconds' | 'rounds' | 'only', string>>;

const argumentsOf = ({ seconds, rounds }: Values): BenchArguments => ({
  seconds: positive('seconds', seconds ?? '1'),
  rounds: positive('rounds', rounds ?? '5'),
});

function parse(args: string[], more: { only?: { type: 'string' } }): Values {
  try {
    const options = { seconds: { type: 'string' }, rounds: { type: 'string' }, ...more } as const;
    return parseArgs({ args, options }).values as Values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new UsageError(`--${name} must be a number above 0`);
  return value;
}
