import { parseArgs } from 'node:util';

/** The command line is invalid; the message says why. */
export class UsageError extends Error {}

/** An option of a part: `--name N`, or `--name` alone. */
export interface Option<Value> {
  summary: string;
  /** The word for its value in the list of options. Absent if the option takes none. */
  takes?: string;
  /** @throws UsageError */
  read(given: string | boolean | undefined, name: string): Value;
}

export type Options = Record<string, Option<unknown>>;
export type ValuesOf<Known extends Options> = {
  [Name in keyof Known]: Known[Name] extends Option<infer Value> ? Value : never;
};

/** @param least of the values that it takes */
export const wholeNumber = (summary: string, byDefault: number, least = 1): Option<number> => ({
  summary: `${summary} (default ${byDefault})`,
  takes: 'N',
  read(given = `${byDefault}`, name) {
    const value = Number(given);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new UsageError(`--${name} must be a whole number from ${least}`);
  },
});

export const positiveNumber = (summary: string, byDefault: number): Option<number> => ({
  summary: `${summary} (default ${byDefault})`,
  takes: 'N',
  read(given = `${byDefault}`, name) {
    const value = Number(given);
    if (value > 0 && Number.isFinite(value)) return value;
    throw new UsageError(`--${name} must be a number above 0`);
  },
});

export const text = (summary: string, takes = 'TEXT'): Option<string | undefined> => ({
  summary,
  takes,
  read: (given) => given as string | undefined,
});

export const flag = (summary: string): Option<boolean> => ({ summary, read: (given) => given === true });

/** @throws UsageError if an option is unknown, lacks its value or has a wrong one */
export function readOptions<Known extends Options>(args: string[], known: Known): ValuesOf<Known> {
  const types = Object.entries(known).map(([name, { takes }]) => [
    name,
    { type: takes === undefined ? 'boolean' : 'string' } as const,
  ]);
  const given = parsed(args, Object.fromEntries(types) as Record<string, { type: 'string' | 'boolean' }>);
  const values = Object.entries(known).map(([name, { read }]) => [name, read(given[name], name)]);
  return Object.fromEntries(values) as ValuesOf<Known>;
}

/** A line for each option. */
export function optionLines(known: Options): string {
  const rows = Object.entries(known).map(([name, { takes, summary }]) => ({
    left: `--${name}${takes === undefined ? '' : ` ${takes}`}`,
    summary,
  }));
  const width = Math.max(...rows.map(({ left }) => left.length));
  return rows.map(({ left, summary }) => `    ${left.padEnd(width)}  ${summary}\n`).join('');
}

function parsed(args: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args, options }).values as Record<string, string | boolean | undefined>;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
