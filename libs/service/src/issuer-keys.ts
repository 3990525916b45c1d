import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { fetchIssuerKeys } from './issuer-documents';
import { TokenRefused } from './token';

/** How long an unknown key id makes an issuer's keys be fetched no second time, successful or not. */
const REFETCH_COOLDOWN_MS = 30_000;
/** How long an issuer whose keys were never had is left alone after a failure. */
const RETRY_MS = 5_000;
/** Age at which keys are fetched anew before they are believed; when that fails, the old ones serve as long again. */
const REFRESH_MS = 600_000;

/**
 * The signing keys of the directory's issuers. An issuer that is out of reach keeps the keys that were fetched before;
 * one that never answered opens no door.
 */
export class IssuerKeys {
  private readonly keySets = new Map<string, KeySet>();

  constructor(private readonly allowHttp: boolean) {}

  /** The keys of one issuer, to be asked for a token's. */
  of(issuer: string): JWTVerifyGetKey {
    let keySet = this.keySets.get(issuer);
    if (!keySet) this.keySets.set(issuer, (keySet = new KeySet(issuer, this.allowHttp)));
    return keySet.find;
  }
}

class KeySet {
  private keys: JWTVerifyGetKey | undefined;
  private fetching: Promise<void> | undefined;
  private retryAt = 0;
  private refreshAt = 0;
  private refetchAt = 0;

  constructor(
    private readonly issuer: string,
    private readonly allowHttp: boolean,
  ) {}

  /** @throws TokenRefused or jose's errors when there is no such key */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.presentKeys();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await this.refetchedKeys(error))(header, token);
    }
  };

  /** The keys to believe now: what an issuer has withdrawn holds no longer than until the next refresh. */
  private async presentKeys(): Promise<JWTVerifyGetKey> {
    if (!this.keys) return this.firstKeys();
    if (Date.now() >= this.refreshAt) {
      // Whoever comes meanwhile does not wait: an outage must not hold up everybody.
      this.refreshAt = Date.now() + REFRESH_MS;
      await this.fetch().catch(() => undefined);
    }
    return this.keys;
  }

  private async firstKeys(): Promise<JWTVerifyGetKey> {
    if (!this.fetching && Date.now() < this.retryAt)
      throw new TokenRefused(`the keys of ${this.issuer} could not be had a moment ago`);
    this.retryAt = Date.now() + RETRY_MS;
    await this.fetch();
    return this.keys!;
  }

  /** Tokens that arrive while the keys are being fetched wait for them, too. */
  private async refetchedKeys(unknownKey: Error): Promise<JWTVerifyGetKey> {
    if (!this.fetching && Date.now() < this.refetchAt) throw unknownKey;
    this.refetchAt = Date.now() + REFETCH_COOLDOWN_MS;
    await this.fetch();
    return this.keys!;
  }

  private fetch(): Promise<void> {
    this.fetching ??= fetchIssuerKeys(this.issuer, this.allowHttp)
      .then((keySet) => {
        this.keys = createLocalJWKSet(keySet);
        this.refreshAt = Date.now() + REFRESH_MS;
      })
      .finally(() => (this.fetching = undefined));
    return this.fetching;
  }
}
