import { Failure } from '../terminal/failure';

/** Node's codes for a certificate whose authority it does not trust. */
const UNTRUSTED: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/**
 * The failure of a call that ended because the server's certificate is of a private authority: the server has answered,
 * and the network is not at fault.
 *
 * @param code Node's code of the error
 * @returns undefined for any other error
 */
export function untrustedCertificate(address: string, code: string | undefined): Failure | undefined {
  if (code === undefined || !UNTRUSTED.includes(code)) return undefined;
  const message = `This machine does not trust the authority that signed the certificate of ${address} (${code}).`;
  return new Failure('CERTIFICATE_NOT_TRUSTED', message, {
    details: { address, reason: code },
    next: "set NODE_EXTRA_CA_CERTS to the PEM file with your organisation's authority, then repeat the command (docs/private-authority.md)",
  });
}

/** The innermost cause of an error, because `fetch failed` alone is not specific. */
export function innermostCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause;
}

/** Node's code of the innermost cause of an error. */
export function causeCode(error: unknown): string | undefined {
  const { code } = (innermostCause(error) ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
