/** What a verified token says. */
export interface TokenClaims {
  /** The `iss` claim: one of the directory's issuers. */
  issuer: string;
  subject: string;
  /** The organisation, where the issuer is a shared one and the token names one. */
  organization?: string;
  /** When it expires, in seconds since 1970. */
  expiresAt: number;
}

/** A token that is not accepted; the reason is for the log alone. */
export class TokenRefused extends Error {}

/** RFC 6750, 2.1: the scheme, then one token and nothing behind it. */
const BEARER = /^bearer +([a-z0-9._~+/-]+=*)$/i;

/** The token of an Authorization header; null when it carries none, or more than one. */
export const bearerToken = (authorization: string | undefined): string | null =>
  (authorization && BEARER.exec(authorization)?.[1]) || null;
