/** The arguments are none that the command knows; the message is the usage. */
export class UsageError extends Error {}

interface SystemError extends Error {
  code?: string;
  address?: string;
  port?: number;
}

/** What went wrong, in one message that a person can act on: no stack, no password. */
export function describeFailure(error: unknown): string {
  if (error instanceof AggregateError) return describeFailure(error.errors[0]);
  const { message, code, address, port } = error as SystemError;
  if (code === 'ECONNREFUSED') return `The database does not answer at ${address}:${port}.`;
  if (code === 'ENOTFOUND') return `The database's host is unknown: ${message}.`;
  return message || String(error);
}
