/** The claims of a verified token. */
export interface TokenClaims {
  /** The `iss` claim: one of the directory's issuers. */
  issuer: string;
  subject: string;
  /** The organisation, if the issuer is shared and the token names one. */
  organization?: string;
  /** When it expires, in seconds since 1970. */
  expiresAt: number;
}

/** A refused token. The reason is for the log alone. */
export class TokenRefused extends Error {}

/** RFC 6750, 2.1: the scheme, one token and nothing after it. */
const BEARER = /^bearer +([a-z0-9._~+/-]+=*)$/i;

/** The token of an Authorization header; null unless it holds exactly one. */
export const bearerToken = (authorization: string | undefined): string | null =>
  (authorization && BEARER.exec(authorization)?.[1]) || null;
