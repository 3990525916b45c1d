import { ApiError } from '@plat/contracts/core';
import type { Database, PermissionRule } from '@plat/database';
import { LRUCache } from 'lru-cache';
import { Permissions } from './permissions';
import type { TokenClaims } from './token';

/** A resolved caller: a user of a tenant, and what the user's roles permit. */
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
  /** By which statements speak for the caller. It holds for an hour, far longer than a caller is remembered. */
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
/** How long a resolved caller is remembered: the longest that a change made by another process takes to be seen. */
const CACHE_MS = 5_000;

/** Raised by every change, and part of every key: what was remembered before a change is never found after it. */
let changes = 0;

/** Step 3: which tenant and user does the token speak for? Only those who are enrolled are remembered. Decision F2. */
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

  /** Drops what every service of this process remembers, after a change of users or roles. */
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
      ...(organization !== undefined && { organization }),
    };
  }
}
