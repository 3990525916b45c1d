import { hash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { Pool } from 'pg';
import type { LimitConfig } from './config';

/** The user and organization in whose name a request runs. */
export interface LimitCaller {
  /** Passed to statements so that they run for the caller. */
  proof: string;
  subject: string;
  organization: string;
}

/** Verifies each token once, and keeps its caller by the hash of the whole token. */
export class Callers {
  private readonly known = new Map<string, LimitCaller>();
  private readonly keys;

  constructor(
    private readonly pool: Pool,
    private readonly config: LimitConfig,
  ) {
    this.keys = createRemoteJWKSet(new URL(`${config.issuer}/jwks`));
  }

  /** @throws Error if the token is not valid */
  async of(authorization: string | undefined): Promise<LimitCaller> {
    const token = authorization?.slice('Bearer '.length) ?? '';
    const key = hash('sha256', token, 'base64');
    const known = this.known.get(key);
    if (known) return known;
    const caller = await this.verify(token);
    this.known.set(key, caller);
    return caller;
  }

  private async verify(token: string): Promise<LimitCaller> {
    const { issuer, audience, organizationClaim } = this.config;
    const { payload } = await jwtVerify(token, this.keys, { issuer, audience });
    const subject = payload.sub ?? '';
    const organization = String(payload[organizationClaim]);
    const { rows } = await this.pool.query<{ proof: string }>(
      'SELECT * FROM identity.resolve_caller($1, $2, $3)',
      [issuer, subject, organization],
    );
    return { proof: rows[0]!.proof, subject, organization };
  }
}
