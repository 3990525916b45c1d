import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './failure';

type Options = NonNullable<ParseArgsConfig['options']>;

interface Syntax<O extends Options> {
  options: O;
  usage: string;
}

/** Reads the arguments of one command with a single operand. @throws UsageError with the fault of an option and the usage */
export function readOperand<O extends Options>(args: string[], syntax: Syntax<O>) {
  const { positionals, values } = readOptions(args, syntax);
  const [operand, ...others] = positionals;
  if (operand === undefined || others.length > 0) throw new UsageError(syntax.usage);
  return { operand, values };
}

/** Reads operands and options. @throws UsageError with the fault of an option and the usage */
export function readOptions<O extends Options>(args: string[], { options, usage }: Syntax<O>) {
  try {
    return parseArgs({ args, allowPositionals: true as const, options });
  } catch (error) {
    throw optionFault(error, usage);
  }
}

/** The fault of an option by the first sentence of Node's message, such as `Unknown option '--repo'`, and the usage. */
export function optionFault(error: unknown, usage: string): UsageError {
  const [fault = ''] = (error as Error).message.split(/\.(?:\s|$)/);
  return new UsageError(`${fault}.\n\n${usage}`);
}
