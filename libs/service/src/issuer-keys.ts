import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { TokenRefused } from './token';

/** Seconds in which an unknown key id makes an issuer's keys be fetched at most once. */
const REFETCH_COOLDOWN_SECONDS = 30;
/** Seconds after which keys are fetched anew in the background; the old ones serve until that has succeeded. */
const REFRESH_SECONDS = 600;
const FETCH_TIMEOUT_MS = 5_000;

interface KeySet {
  getKey: JWTVerifyGetKey;
  refreshAt: number;
  reload(): Promise<void>;
}

/**
 * The signing keys of the directory's issuers, found by OIDC discovery. An issuer that is out of reach keeps the keys
 * that were fetched before; one that never answered opens no door.
 */
export class IssuerKeys {
  private readonly keySets = new Map<string, Promise<KeySet>>();

  constructor(private readonly allowHttp: boolean) {}

  /** The keys of one issuer. @throws TokenRefused when they cannot be had */
  async of(issuer: string): Promise<JWTVerifyGetKey> {
    const keySet = await this.keySet(issuer);
    if (Date.now() > keySet.refreshAt) {
      keySet.refreshAt = Date.now() + REFRESH_SECONDS * 1000;
      // A failure leaves the present keys in force; the next token of an unknown key tries again.
      keySet.reload().catch(() => undefined);
    }
    return keySet.getKey;
  }

  private keySet(issuer: string): Promise<KeySet> {
    const known = this.keySets.get(issuer);
    if (known) return known;
    const discovered = this.discover(issuer);
    this.keySets.set(issuer, discovered);
    discovered.catch(() => this.keySets.delete(issuer));
    return discovered;
  }

  private async discover(issuer: string): Promise<KeySet> {
    const document = await this.fetchDocument(issuer);
    if (document.issuer !== issuer) throw new TokenRefused(`${issuer} describes itself as another issuer`);
    const getKey = createRemoteJWKSet(this.checked(new URL(document.jwks_uri)), {
      cooldownDuration: REFETCH_COOLDOWN_SECONDS * 1000,
      cacheMaxAge: Infinity,
      timeoutDuration: FETCH_TIMEOUT_MS,
    });
    return { getKey, refreshAt: Date.now() + REFRESH_SECONDS * 1000, reload: () => getKey.reload() };
  }

  private async fetchDocument(issuer: string): Promise<{ issuer: string; jwks_uri: string }> {
    const address = this.checked(new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`));
    try {
      const response = await fetch(address, {
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
        redirect: 'error',
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return (await response.json()) as { issuer: string; jwks_uri: string };
    } catch (cause) {
      throw new TokenRefused(`the keys of ${issuer} cannot be had`, { cause });
    }
  }

  private checked(address: URL): URL {
    if (address.protocol !== 'https:' && !this.allowHttp)
      throw new TokenRefused(`${address.origin} is not https`);
    return address;
  }
}
