import { parseArgs } from 'node:util';

export interface BenchArguments {
  /** Length of a measured round in seconds. Default 1. */
  seconds: number;
  /** Measured rounds of each server and kind of request. Default 5. */
  rounds: number;
  help: boolean;
}

export const USAGE = `npm run bench -- [--seconds N] [--rounds N]

Measures the whole stack on this machine beside its limit: the same statements by a bare node:http + pg server.
  --seconds N   length of a round (default 1)
  --rounds N    rounds of each server and kind of request (default 5)
`;

/** The command line was not understood; the message says why. */
export class UsageError extends Error {}

/** @throws UsageError */
export function parseArguments(args: string[]): BenchArguments {
  const { values } = parse(args);
  return {
    seconds: positive('seconds', values.seconds ?? '1'),
    rounds: positive('rounds', values.rounds ?? '5'),
    help: values.help ?? false,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        seconds: { type: 'string' },
        rounds: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
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
