import type { Database } from '@plat/database';

export interface KnownIssuer {
  url: string;
  /** A token must be meant for one of them. */
  audience: string[];
  organizationClaim?: string;
}

/** Seconds for which the directory's issuers are cached. */
const REMEMBER_SECONDS = 10;

interface IssuerRow {
  url: string;
  audience: string;
  organization_claim: string | null;
}

/** The issuers of the directory. No other issuer's keys are ever fetched. Rule F1. */
export class KnownIssuers {
  private loading: Promise<Map<string, KnownIssuer>> | undefined;
  private loadedAt = 0;

  constructor(private readonly database: Database) {}

  /** The issuer with exactly this URL, compared without any normalization. */
  async find(url: string): Promise<KnownIssuer | undefined> {
    if (!this.loading || Date.now() - this.loadedAt > REMEMBER_SECONDS * 1000) {
      this.loadedAt = Date.now();
      this.loading = this.load();
      this.loading.catch(() => (this.loading = undefined));
    }
    return (await this.loading).get(url);
  }

  private async load(): Promise<Map<string, KnownIssuer>> {
    const rows = await this.database.run<IssuerRow>({
      name: 'known_issuers',
      text: 'SELECT * FROM identity.known_issuers()',
      values: [],
    });
    const known = new Map<string, KnownIssuer>();
    for (const { url, audience, organization_claim: claim } of rows) {
      const { audience: others = [] } = known.get(url) ?? {};
      const issuer = { url, audience: [...others, audience] };
      known.set(url, claim === null ? issuer : { ...issuer, organizationClaim: claim });
    }
    return known;
  }
}
