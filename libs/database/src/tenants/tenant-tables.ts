/** A table with rows of tenants, and the role that owns it. */
export interface TenantTable {
  name: `${string}.${string}`;
  owner: string;
}

const ownedBy = (schema: string, tables: string[]): TenantTable[] =>
  tables.map((table) => ({ name: `${schema}.${table}`, owner: `plat_${schema}_owner` }));

/**
 * Every table with rows of tenants, in an order in which their rows can be deleted: what names a row comes before it. A
 * spec holds it against the catalogue. Reviews and builds name each other and are deleted together.
 */
export const TENANT_TABLES: readonly TenantTable[] = [
  ...ownedBy('releases', ['releases', 'lines']),
  ...ownedBy('reviews', [
    'undone_findings',
    'undone_work',
    'later_contents',
    'verifications',
    'gate_runs',
    'comments',
    'reviewers',
    'queue_moves',
    'reviews',
    'queues',
  ]),
  ...ownedBy('builds', ['builds']),
  ...ownedBy('environments', ['deletions', 'environments']),
  ...ownedBy('ledger', ['entries', 'tiles', 'erasures', 'logs']),
  ...ownedBy('audit', ['audit_events']),
  ...ownedBy('identity', [
    'idempotency_keys',
    'subjects',
    'user_roles',
    'role_permissions',
    'roles',
    'users',
  ]),
];

/** Tables that say which tenant is which. Their rows of a tenant go last, in one transaction. */
export const DIRECTORY_TABLES: readonly TenantTable[] = ownedBy('identity', [
  'organizations',
  'issuers',
  'closed_tenants',
  'tenants',
]);
