import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { fetchIssuerKeys } from './issuer-documents';
import { TokenRefused } from './token';

/** How long after a fetch, successful or not, an unknown key id triggers no other fetch. */
const REFETCH_COOLDOWN_MS = 30_000;
/** How long an issuer whose keys were never fetched is not asked again after a failure. */
const RETRY_MS = 5_000;
/** Age at which keys are fetched again before use. If that fails, the old keys serve for as long again. */
const REFRESH_MS = 600_000;

/**
 * The signing keys of the directory's issuers. If an issuer is unreachable, the keys that were fetched before stay valid.
 * The tokens of an issuer that never answered are refused.
 */
export class IssuerKeys {
  private readonly keySets = new Map<string, KeySet>();

  constructor(private readonly allowHttp: boolean) {}

  /** The keys of one issuer. */
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
      return (await this.refetchKeys(error))(header, token);
    }
  };

  /** The present keys. A key that the issuer has withdrawn is accepted until the next refresh at most. */
  private async presentKeys(): Promise<JWTVerifyGetKey> {
    if (!this.keys) return this.firstKeys();
    if (Date.now() >= this.refreshAt) {
      // Other requests do not wait for the refresh, so that an outage of the issuer does not delay them.
      this.refreshAt = Date.now() + REFRESH_MS;
      await this.fetch().catch(() => undefined);
    }
    return this.keys;
  }

  private async firstKeys(): Promise<JWTVerifyGetKey> {
    if (!this.fetching && Date.now() < this.retryAt) {
      throw new TokenRefused(`the keys of ${this.issuer} could not be had a moment ago`);
    }
    this.retryAt = Date.now() + RETRY_MS;
    await this.fetch();
    return this.keys!;
  }

  /** Fetches the keys. Tokens that arrive meanwhile wait for the same fetch. */
  private async refetchKeys(unknownKey: Error): Promise<JWTVerifyGetKey> {
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
