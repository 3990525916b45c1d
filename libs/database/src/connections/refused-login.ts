import { DatabaseError } from 'pg';

/** SQLSTATEs of a login that PostgreSQL refuses: a wrong password, or no such login. */
const REFUSED_LOGINS = ['28P01', '28000'];

/** SQLSTATE that PgBouncer gives to every error of its own. */
const PROTOCOL_VIOLATION = '08P01';

/**
 * PgBouncer's texts for a login that it refuses, or that PostgreSQL has refused to it. It gives each of them before it
 * has passed anything on to PostgreSQL.
 */
const POOLER_REFUSALS =
  /^(SASL|password) authentication failed|^no such user|^login rejected|^server login (failed|has been failing)/;

/** Whether the error is the refusal of a login, also if TypeORM or the service's own error has wrapped it. */
export function isRefusedLogin(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const answer = (cause as { driverError?: unknown }).driverError ?? cause;
    if (answer instanceof DatabaseError) return isRefusal(answer);
  }
  return false;
}

const isRefusal = ({ code = '', message }: DatabaseError): boolean =>
  REFUSED_LOGINS.includes(code) || (code === PROTOCOL_VIOLATION && POOLER_REFUSALS.test(message));
