import { positiveNumber, readOptions } from '../options';

export interface BenchArguments {
  /** Length of a measured round in seconds. Default 1. */
  seconds: number;
  /** Measured rounds of each server and kind of request. Default 5. */
  rounds: number;
}

export const OPTIONS = `    --seconds N   length of a round (default 1)
    --rounds N    rounds of each server and kind of request (default 5)`;

const TEXT = { type: 'string' } as const;
const KNOWN = { seconds: { ...TEXT, default: '1' }, rounds: { ...TEXT, default: '5' } } as const;

/** @throws UsageError */
export const parseArguments = (args: string[]): BenchArguments => argumentsOf(readOptions(args, KNOWN));

/**
 * Like `parseArguments`, and also reads `--only TEXT`, which chooses the cases of a part.
 *
 * @throws UsageError
 */
export function parseChoice(args: string[]): BenchArguments & { only: string } {
  const values = readOptions(args, { ...KNOWN, only: { ...TEXT, default: '' } });
  return { ...argumentsOf(values), only: values.only };
}

const argumentsOf = ({ seconds, rounds }: Record<'seconds' | 'rounds', string>): BenchArguments => ({
  seconds: positiveNumber('seconds', seconds),
  rounds: positiveNumber('rounds', rounds),
});
