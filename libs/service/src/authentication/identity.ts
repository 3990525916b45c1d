import { LRUCache } from 'lru-cache';
import { ApiError } from '@plat/contracts/core';
import type { Database, PermissionRule } from '@plat/database';
import { Permissions } from './permissions';
import type { TokenClaims } from './token';

/** A resolved caller: a user of a tenant and the user's permissions. */
export interface Principal {
  tenantId: string;
  userId: string;
  username: string;
  roles: string[];
  /** Whether the tenant is the operations tenant, whose callers read across tenants. */
  operations: boolean;
  permissions: Permissions;
  issuer: string;
  subject: string;
  organization?: string;
  /** The proof for the caller's statements. It is valid for an hour, far longer than a caller is cached. */
  proof: string;
}

interface ResolvedRow {
  tenant_id: string;
  tenant_kind: 'company' | 'operations';
  user_id: string | null;
  username: string;
  roles: string[];
  permissions: PermissionRule[];
  /** Null if the database has no key that seals it. */
  proof: string | null;
}

const KEYLESS = 'identity.proof_keys has no key: npm run db -- doctor prints the mend';

const CACHED_PRINCIPALS_MAX = 10_000;
/**
 * How long a resolved caller is cached, and so the longest time until another process's change of roles takes effect. A
 * disabled user, issuer or organisation is refused at once, because the database admits the caller again when it writes
 * the request's audit row.
 */
const CACHE_MS = 5_000;

/** How long an organisation's tenant is remembered to choose shares. Each look-up of a caller renews it. */
const SHARES = { max: CACHED_PRINCIPALS_MAX, ttl: 60_000 };

/** The number of changes. It is part of every cache key, so that no older entry is found after a change. */
let changes = 0;

/** Step 3: determines the token's tenant and user. Only enrolled users are cached. Rule F2. */
export class Identities {
  private readonly cache = new LRUCache<string, Principal, TokenClaims>({
    max: CACHED_PRINCIPALS_MAX,
    ttl: CACHE_MS,
    fetchMethod: (_key, _stale, { context }) => this.load(context),
  });
  /** The tenant of each organisation that was looked up lately; null if it has none. */
  private readonly tenants = new LRUCache<string, { id: string | null }>(SHARES);
  /** The organisation that was looked up first, for each tenant. The tenant's other organisations share its slots. */
  private readonly firsts = new LRUCache<string, string>({ ...SHARES, updateAgeOnGet: true });

  constructor(private readonly database: Database) {}

  /**
   * The key of the slots that a caller's requests take. A tenant has one key for all its issuers and organisations,
   * and a tenant with one organisation always has the same key, since a tenant with two keys would compete with itself.
   * Organisations without a tenant share one key for each issuer, since their number has no limit.
   */
  slotKeyOf(claims: TokenClaims): string {
    const key = organizationOf(claims);
    const tenant = this.tenants.get(key);
    if (tenant === undefined) return key;
    return tenant.id === null ? strangersOf(claims) : (this.firsts.get(tenant.id) ?? key);
  }

  /**
   * @throws UNAUTHENTICATED, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED and the codes of a tenant that is not
   *   served; SERVICE_UNAVAILABLE if the database cannot prove the caller
   */
  async resolve(claims: TokenClaims): Promise<Principal> {
    const key = JSON.stringify([changes, claims.issuer, claims.subject, claims.organization ?? null]);
    const principal = await this.cache.fetch(key, { context: claims });
    return principal ?? this.load(claims);
  }

  /** Clears the cache of every service of this process, after a change of users or roles. */
  forget(): void {
    changes += 1;
  }

  private async load(claims: TokenClaims): Promise<Principal> {
    const { issuer, subject, organization } = claims;
    const [row] = await this.database.run<ResolvedRow>({
      name: 'resolve_identity',
      text: 'SELECT * FROM identity.resolve_caller($1, $2, $3)',
      values: [issuer, subject, organization ?? null],
      share: this.connectionsOf(claims),
    });
    this.learn(claims, row?.tenant_id ?? null);
    if (!row) throw new ApiError('TENANT_UNRESOLVED');
    if (row.user_id === null) throw new ApiError('NOT_ENROLLED');
    if (row.proof === null) throw new ApiError('SERVICE_UNAVAILABLE', { cause: new Error(KEYLESS) });
    return {
      tenantId: row.tenant_id,
      userId: row.user_id,
      username: row.username,
      roles: row.roles,
      operations: row.tenant_kind === 'operations',
      permissions: Permissions.of(row.permissions),
      proof: row.proof,
      issuer,
      subject,
      organization,
    };
  }

  /** The share of the connections that a look-up takes: the tenant's, like the tenant's own statements. */
  private connectionsOf(claims: TokenClaims): string {
    return this.tenants.get(organizationOf(claims))?.id ?? this.slotKeyOf(claims);
  }

  private learn(claims: TokenClaims, id: string | null): void {
    const key = organizationOf(claims);
    this.tenants.set(key, { id });
    if (id !== null && !this.firsts.has(id)) this.firsts.set(id, key);
  }
}

const organizationOf = ({ issuer, organization }: TokenClaims): string =>
  JSON.stringify([issuer, organization]);
const strangersOf = ({ issuer }: TokenClaims): string => JSON.stringify([issuer]);
