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
