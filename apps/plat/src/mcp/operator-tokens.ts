import { createHash } from 'node:crypto';
import { ApiClient, type Whoami, whoami } from '@plat/api-client';
import type { PlatformAlias } from '../config/cloud-alias';
import { openPlatform } from '../platform/platform';

/** How long a judgement counts, in milliseconds. A user who is disabled is let in for that long at most. */
const ACCEPTED_MILLISECONDS = 60_000;
const REFUSED_MILLISECONDS = 10_000;
const JUDGED_MAX = 100;
/** Most questions to the platform at one time, so that strangers cannot make this server flood it. */
const ASKED_MAX = 4;
const ASK_SECONDS_MAX = 10;
const TOKEN_LENGTH_MAX = 8192;

/** Whether a token is one of the operator's; `unknown` if the platform was not asked or did not answer. */
export type Judgement = 'operator' | 'stranger' | 'unknown';

/** The claims of a token that are compared before the platform is asked. */
interface Claims {
  iss?: unknown;
  aud?: unknown;
  exp?: unknown;
}

/**
 * Judges tokens of the platform: the one that the caller sent has to belong to the user as whom this server acts. The
 * platform itself checks the token; a token that was issued for another service is never sent to it.
 */
export class OperatorTokens {
  /** Keyed by the token's hash, oldest first. */
  private readonly judged = new Map<string, { until: number; judgement: Promise<Judgement> }>();
  private asked = 0;

  constructor(private readonly session: { configFolder: string; aliasName?: string | undefined }) {}

  async judge(token: string): Promise<Judgement> {
    const claims = claimsOf(token);
    if (claims === undefined) return 'stranger';
    const key = createHash('sha256').update(token).digest('base64');
    const known = this.judged.get(key);
    if (known !== undefined && known.until > Date.now()) return known.judgement;
    if (this.asked >= ASKED_MAX) return 'unknown';
    return this.ask(key, token, claims);
  }

  private ask(key: string, token: string, claims: Claims): Promise<Judgement> {
    this.asked += 1;
    const judgement = this.compare(token, claims)
      .catch((): Judgement => 'unknown')
      .finally(() => (this.asked -= 1));
    // Calls that come meanwhile wait for the same answer.
    const entry = { until: Infinity, judgement };
    this.judged.delete(key);
    this.judged.set(key, entry);
    const [oldest] = this.judged.keys();
    if (oldest !== undefined && this.judged.size > JUDGED_MAX) this.judged.delete(oldest);
    void judgement.then((found) => {
      entry.until = found === 'unknown' ? 0 : Date.now() + lifetime(found, claims);
    });
    return judgement;
  }

  private async compare(token: string, claims: Claims): Promise<Judgement> {
    const { configFolder, aliasName } = this.session;
    const { alias, api } = await openPlatform({
      configFolder,
      aliasName,
      headers: {},
      timeoutSeconds: ASK_SECONDS_MAX,
    });
    if (!isFor(alias, claims)) return 'stranger';
    const caller = await callerOf(alias, token);
    if (caller === undefined) return 'stranger';
    const operator = await whoami(api);
    const isSame = caller.tenantId === operator.tenantId && caller.userId === operator.userId;
    return isSame ? 'operator' : 'stranger';
  }
}

/** Who the platform says the token's user is; undefined if it refuses the token. */
async function callerOf({ apiUrl }: PlatformAlias, token: string): Promise<Whoami | undefined> {
  const tokens = { current: () => token };
  try {
    return await whoami(new ApiClient({ baseUrl: apiUrl, tokens, timeoutSeconds: ASK_SECONDS_MAX }));
  } catch (error) {
    const { status } = error as { status?: number };
    if (status === 401 || status === 403) return undefined;
    throw error;
  }
}

/** Whether the token says that the platform's issuer has issued it for the platform. */
function isFor({ issuer, audience }: PlatformAlias, { iss, aud }: Claims): boolean {
  return iss === issuer && (Array.isArray(aud) ? aud.includes(audience) : aud === audience);
}

function lifetime(judgement: Judgement, { exp }: Claims): number {
  if (judgement !== 'operator') return REFUSED_MILLISECONDS;
  return Math.min(ACCEPTED_MILLISECONDS, Number(exp) * 1000 - Date.now());
}

/** The claims of a signed token that has not expired; undefined for any other text. They are not verified here. */
function claimsOf(token: string): Claims | undefined {
  if (token.length > TOKEN_LENGTH_MAX) return undefined;
  const [, payload, ...signature] = token.split('.');
  if (payload === undefined || signature.length !== 1) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims | null;
    return typeof claims?.exp === 'number' && claims.exp * 1000 > Date.now() ? claims : undefined;
  } catch {
    return undefined;
  }
}
