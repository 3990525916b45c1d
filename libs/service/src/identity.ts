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
  proof: string;
}

const CACHED_PRINCIPALS_MAX = 10_000;
/** How long a resolved caller is cached, and so the longest time until another process's change takes effect. */
const CACHE_MS = 5_000;

/** The number of changes. It is part of every cache key, so that no entry from before a change is found after it. */
let changes = 0;

/** Step 3: determines the token's tenant and user. Only enrolled users are cached. Decision F2. */
export class Identities {
  private readonly cache = new LRUCache<string, Principal, TokenClaims>({
    max: CACHED_PRINCIPALS_MAX,
    ttl: CACHE_MS,
    fetchMethod: (_key, _stale, { context }) => this.load(context),
  });

  constructor(private readonly database: Database) {}

  /** @throws TENANT_UNRESOLVED, NOT_ENROLLED */
  async resolve(claims: TokenClaims): Promise<Principal> {
    const key = JSON.stringify([changes, claims.issuer, claims.subject, claims.organization ?? null]);
    const principal = await this.cache.fetch(key, { context: claims });
    return principal ?? this.load(claims);
  }

  /** Clears the cache of every service of this process, after a change of users or roles. */
  forget(): void {
    changes += 1;
  }

  private async load({ issuer, subject, organization }: TokenClaims): Promise<Principal> {
    const [row] = await this.database.run<ResolvedRow>({
      name: 'resolve_identity',
      text: 'SELECT * FROM identity.resolve_caller($1, $2, $3)',
      values: [issuer, subject, organization ?? null],
      share: JSON.stringify([issuer, organization]),
    });
    if (!row) throw new ApiError('TENANT_UNRESOLVED');
    if (row.user_id === null) throw new ApiError('NOT_ENROLLED');
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
}
