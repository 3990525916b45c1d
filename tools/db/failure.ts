/** The arguments are invalid; the message is the usage. */
export class UsageError extends Error {}

interface SystemError extends Error {
  code?: string;
  address?: string;
  port?: number;
}

/** The refusals of a connection without TLS: by PostgreSQL, whose pg_hba.conf asks for it, and by PgBouncer. */
const REFUSED_WITHOUT_TLS = /no pg_hba\.conf entry .*, no encryption$|^SSL required$/;

/** An error as one message on which a person can act, without stack or password. */
export function describeFailure(error: unknown): string {
  if (error instanceof AggregateError) return describeFailure(error.errors[0]);
  const { message, code, address, port } = error as SystemError;
  if (code === 'ECONNREFUSED') return `The database does not answer at ${address}:${port}.`;
  if (code === 'ENOTFOUND') return `The database's host is unknown: ${message}.`;
  if (REFUSED_WITHOUT_TLS.test(message)) {
    return `${message}. With DATABASE_CA_FILE, a file of the authorities of its certificate, the connection is TLS.`;
  }
  return message || String(error);
}
