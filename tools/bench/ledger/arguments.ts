import { readOptions, wholeNumber } from '../options';
import { UsageError } from '../part';

/** The subjects that are measured, in the order in which they are. */
export const SUBJECTS = ['requests', 'sealing', 'client'] as const;
export type Subject = (typeof SUBJECTS)[number];

export interface LedgerArguments {
  /** Rows of the trail that are sealed, and that the client exports. */
  rows: number;
  /** Length of a round of requests. */
  seconds: number;
  rounds: number;
  only: readonly Subject[];
}

const DEFAULTS = { rows: '500000', seconds: '3', rounds: '7' };

export const OPTIONS = `    --rows N      rows that are sealed, and exported (default ${DEFAULTS.rows})
    --seconds N   length of a round of requests (default ${DEFAULTS.seconds})
    --rounds N    rounds with sealing and without (default ${DEFAULTS.rounds})
    --only NAME   ${SUBJECTS.join(', ')} (with proofs in sealing)`;

/** @throws UsageError */
export function parseArguments(args: string[]): LedgerArguments {
  const text = { type: 'string' } as const;
  const values = readOptions(args, {
    rows: { ...text, default: DEFAULTS.rows },
    seconds: { ...text, default: DEFAULTS.seconds },
    rounds: { ...text, default: DEFAULTS.rounds },
    only: text,
  });
  return {
    rows: wholeNumber('rows', values.rows, 10_000),
    seconds: wholeNumber('seconds', values.seconds),
    rounds: wholeNumber('rounds', values.rounds),
    only: values.only === undefined ? SUBJECTS : [subject(values.only)],
  };
}

function subject(name: string): Subject {
  const known = SUBJECTS.find((each) => each === name);
  if (known === undefined) throw new UsageError(`--only must be one of ${SUBJECTS.join(', ')}`);
  return known;
}
