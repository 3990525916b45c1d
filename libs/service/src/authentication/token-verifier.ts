import { hash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { isStorable } from '@plat/contracts/core';
import type { IssuerKeys } from './issuer-keys';
import type { KnownIssuers } from './known-issuers';
import { type TokenClaims, TokenRefused } from './token';

/** Rule F1. */
const ALGORITHMS = ['RS', 'ES', 'PS']
  .flatMap((family) => ['256', '384', '512'].map((bits) => family + bits))
  .concat('EdDSA');

/** Headers by which a token would bring its own key, and `crit`, since no extension is supported. */
const REFUSED_HEADERS = ['jku', 'jwk', 'x5u', 'x5c', 'crit'];

/** Values of the header `typ` of an access token: RFC 9068's, and those that issuers used before it. */
const ACCEPTED_TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];

/** Claims that name the kind of a token, with their value for an access token. */
const KIND_CLAIMS: Readonly<Record<string, string>> = { typ: 'bearer', token_use: 'access' };

/** Claims of times. A number beyond a double's range, such as 1e400, is parsed as Infinity and would never expire. */
const TIME_CLAIMS = ['exp', 'nbf', 'iat'];
/** The last second that a Date can hold. */
const SECONDS_MAX = 8.64e12;

const CLAIM_LENGTH_MAX = 255;
const TOKEN_LENGTH_MAX = 16 * 1024;
const CLOCK_TOLERANCE_SECONDS = 5;
const CACHED_TOKENS_MAX = 10_000;
/** How long a verified token is believed without looking at its signature again, in milliseconds. */
const CACHE_MS = 60_000;

interface BelievedToken {
  claims: TokenClaims;
  /** Milliseconds since 1970. */
  until: number;
}

/** Verifies access tokens of the directory's issuers. */
export class TokenVerifier {
  private readonly believed = new LRUCache<string, BelievedToken>({ max: CACHED_TOKENS_MAX });

  constructor(
    private readonly issuers: Pick<KnownIssuers, 'find'>,
    private readonly keys: IssuerKeys,
  ) {}

  /** Reads a token's claims. @throws TokenRefused */
  async verify(token: string): Promise<TokenClaims> {
    if (token.length > TOKEN_LENGTH_MAX) throw new TokenRefused('too long');
    const key = hash('sha256', token, 'base64');
    const known = this.believed.get(key);
    if (known && Date.now() < known.until) return known.claims;
    const claims = await this.verifyAnew(token);
    const until = Math.min(claims.expiresAt * 1000, Date.now() + CACHE_MS);
    this.believed.set(key, { claims, until });
    return claims;
  }

  private async verifyAnew(token: string): Promise<TokenClaims> {
    const claimed = refuseFaults(() => claimedIssuer(token));
    const issuer = await this.issuers.find(claimed);
    if (!issuer) throw new TokenRefused('unknown issuer');
    const verified = jwtVerify(token, this.keys.of(issuer.url), {
      issuer: issuer.url,
      audience: issuer.audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    const { payload } = await verified.catch((cause: unknown) => {
      throw new TokenRefused('not valid', { cause });
    });
    return readClaims(payload, issuer.organizationClaim);
  }
}

/** The issuer that a token names. It is not verified yet and only selects the keys. */
function claimedIssuer(token: string): string {
  const header = decodeProtectedHeader(token);
  const refused = REFUSED_HEADERS.find((name) => name in header);
  if (refused) throw new TokenRefused(`the token has the header ${refused}`);
  const { typ } = header;
  if (typ !== undefined && !ACCEPTED_TYPES.includes(String(typ).toLowerCase())) {
    throw new TokenRefused('the token is no access token');
  }
  const { iss } = decodeJwt(token);
  if (iss === undefined) throw new TokenRefused('no issuer');
  return iss;
}

function refuseFaults<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw cause instanceof TokenRefused ? cause : new TokenRefused('not a token', { cause });
  }
}

/** @throws TokenRefused for an ID, refresh or logout token, whose issuer and audience may be an access token's */
function expectAccessToken(payload: JWTPayload): void {
  const other = Object.entries(KIND_CLAIMS).some(
    ([claim, kind]) => payload[claim] !== undefined && String(payload[claim]).toLowerCase() !== kind,
  );
  // A logout token has an `events` claim (OpenID Connect Back-Channel Logout, 2.4).
  if (other || payload.events !== undefined) throw new TokenRefused('the token is no access token');
  for (const claim of TIME_CLAIMS) {
    if (payload[claim] !== undefined && !(Math.abs(Number(payload[claim])) <= SECONDS_MAX)) {
      throw new TokenRefused(`${claim} is no time`);
    }
  }
}

function readClaims(payload: JWTPayload, organizationClaim: string | undefined): TokenClaims {
  expectAccessToken(payload);
  const organization = organizationClaim === undefined ? undefined : payload[organizationClaim];
  const claims = { issuer: payload.iss!, subject: textClaim(payload.sub), expiresAt: payload.exp! };
  return organization === undefined ? claims : { ...claims, organization: textClaim(organization) };
}

function textClaim(value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= CLAIM_LENGTH_MAX && isStorable(value)) {
    return value;
  }
  throw new TokenRefused('a claim that names the caller cannot be used');
}
