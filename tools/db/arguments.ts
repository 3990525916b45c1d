import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './failure';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads the arguments of one command with a single operand. @throws UsageError with the usage */
export function readOperand<O extends Options>(
  args: string[],
  { options, usage }: { options: O; usage: string },
) {
  const parsed = parseQuietly(args, options);
  const [operand, ...others] = parsed?.positionals ?? [];
  if (parsed === undefined || operand === undefined || others.length > 0) throw new UsageError(usage);
  return { operand, values: parsed.values };
}

/** Operands and options, or undefined if an option is unknown. */
export function parseQuietly<O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, allowPositionals: true as const, options });
  } catch {
    // An unknown option is answered with the usage, like a missing operand.
    return undefined;
  }
}
