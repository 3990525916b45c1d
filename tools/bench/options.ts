import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './part';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Reads the options of a part.
 *
 * @throws UsageError if one is unknown or lacks its value
 */
export function readOptions<const Known extends Options>(args: string[], options: Known) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @throws UsageError if the text is no whole number, or one below the least */
export function wholeNumber(name: string, text: string, least = 1): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new UsageError(`--${name} must be a whole number from ${least}`);
}

/** @throws UsageError if the text is no number above 0 */
export function positiveNumber(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new UsageError(`--${name} must be a number above 0`);
}
