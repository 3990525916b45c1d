/** A permission rule as the directory and the roles route write it: exact, or a pattern that must match whole. */
export interface PermissionRule {
  apiMethod?: string;
  apiPath?: string;
  apiMethodPattern?: string;
  apiPathPattern?: string;
}

const pattern = (apiMethodPattern: string, apiPathPattern: string): PermissionRule => ({
  apiMethodPattern,
  apiPathPattern,
});

const readAll = pattern('GET', '/v1/.*');

/** The roles that every tenant has. Rule F3. */
export const STOCK_ROLES: Readonly<Record<string, readonly PermissionRule[]>> = {
  ReadAll: [readAll],
  WriteAll: [pattern('POST|PUT|PATCH|DELETE', '/v1/.*')],
  TenantAdmin: [pattern('.*', '/v1/.*')],
  /** Reads everything and changes work and environments, but neither users nor roles. */
  TenantUser: [
    readAll,
    pattern('POST|PATCH|DELETE', '/v1/reviews(/.*)?'),
    pattern('POST|PATCH', '/v1/(builds|releases|gate-runs)(/.*)?'),
    pattern('POST|PUT|DELETE', '/v1/environments(/.*)?'),
  ],
  /** Reports builds, statuses and gate runs, and reads what the gate needs: no audit trail and no roles of others. */
  TenantAgent: [
    pattern('GET', '/v1/((reviews|builds|gate-runs|environments|releases)(/.*)?|whoami)'),
    pattern('POST', '/v1/(builds|reviews/merge-queue/check)'),
    { apiMethod: 'POST', apiPath: '/v1/reviews/{review_id}/builds' },
    { apiMethod: 'PATCH', apiPath: '/v1/reviews/{review_id}/status' },
    pattern('POST|PATCH', '/v1/gate-runs(/.*)?'),
  ],
};
