import { signatureError } from './tsig';

/** Why a server does not carry an update out. RFC 1035, 4.1.1, and RFC 2136, 2.2. */
const RCODES: Record<number, string> = {
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
  9: 'NOTAUTH',
  10: 'NOTZONE',
};

/** The names of the errors of a signature, keyed by their code. RFC 8945, 3. */
const SIGNATURE_ERRORS: Record<number, string> = {
  16: 'BADSIG',
  17: 'BADKEY',
  18: 'BADTIME',
  22: 'BADTRUNC',
};

/**
 * The reason of a refusal by its standard name, such as `NOTAUTH (BADTIME)`; undefined when the server made the update.
 */
export function refusalOf(reply: Buffer): string | undefined {
  const rcode = reply.readUInt16BE(2) & 0xf;
  if (rcode === 0) return undefined;
  const reason = RCODES[rcode] ?? `RCODE ${rcode}`;
  const error = signatureError(reply);
  return error === 0 ? reason : `${reason} (${SIGNATURE_ERRORS[error] ?? `TSIG error ${error}`})`;
}
