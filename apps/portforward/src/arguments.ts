import { parseArgs } from 'node:util';
import { DAEMON_PROGRAM, type ForwardStart, targetsOf } from '@plat/forwards';

/** The command line is invalid; the message says why. */
export class UsageError extends Error {}

export type ForwardArguments = ForwardStart;

const USAGE = 'forward --namespace NS --service SVC --ports L:R [--context C] --state FILE';
const text = { type: 'string' } as const;

/** The arguments of the daemon. Rule H9. @throws UsageError */
export function parseArguments(args: string[]): ForwardArguments {
  const { context, state } = flagsOf(args);
  const [target] = targetsOf(['node', DAEMON_PROGRAM, ...args]);
  if (target === undefined || state === undefined) throw new UsageError(`usage: ${USAGE}`);
  return { ...target, context, state };
}

function flagsOf(args: string[]) {
  try {
    const options = { namespace: text, service: text, ports: text, context: text, state: text };
    return parseArgs({ args, options, allowPositionals: true }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nusage: ${USAGE}`);
  }
}
