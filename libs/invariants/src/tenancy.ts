import { LOGIN_ROLES } from '@plat/database';
import type { Invariant } from './invariant';

const SCHEMAS = ['identity', 'reviews', 'builds', 'releases', 'audit', 'environments', 'ledger'];
const SERVICE_ROLES = Object.values(LOGIN_ROLES);

/** A table of tenants' rows: its primary key starts with the tenant. Partitions are reached through their parents. */
const TENANT_TABLES = `
  SELECT c.oid, c.relrowsecurity, c.relforcerowsecurity, c.relispartition, c.relowner
    FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
   WHERE c.relnamespace = ANY ($1::text[]::regnamespace[]) AND c.relkind IN ('r', 'p') AND a.attname = 'tenant_id'`;

/** Partitions of the trail that are exported and not yet dropped. */
const DETACHED = `
  SELECT c.oid FROM audit.pruned_partitions e JOIN pg_class c ON c.relname = e.partition
   WHERE e.dropped_at IS NULL AND c.relnamespace = 'audit'::regnamespace`;

/** The invariants that keep tenants apart, read from the catalogue. */
export const TENANCY_INVARIANTS: Invariant[] = [
  {
    promise: 'every tenant table has row-level security enabled and forced, with USING and WITH CHECK',
    sql: `
      SELECT t.oid::regclass::text AS "table", t.relrowsecurity AS enabled, t.relforcerowsecurity AS forced
        FROM (${TENANT_TABLES}) AS t
       WHERE t.oid IS DISTINCT FROM to_regclass('identity.closed_tenants') -- asked before a tenant is entered
         AND (NOT t.relrowsecurity OR NOT t.relforcerowsecurity
          -- a partition that an interrupted prune has detached has no policy either, and shows its rows to no one
          OR NOT t.relispartition AND t.oid NOT IN (${DETACHED}) AND NOT EXISTS (
               SELECT FROM pg_policy p WHERE p.polrelid = t.oid AND p.polcmd = '*' AND p.polroles = '{0}'
                  AND p.polqual IS NOT NULL AND p.polwithcheck IS NOT NULL))`,
    args: [SCHEMAS],
  },
  {
    promise:
      'a row and its parent belong to one tenant: every foreign key between tenant tables carries the tenant',
    sql: `
      SELECT k.conrelid::regclass::text AS "table", k.conname AS "constraint"
        FROM pg_constraint k
        JOIN (${TENANT_TABLES}) AS child ON child.oid = k.conrelid
        JOIN (${TENANT_TABLES}) AS parent ON parent.oid = k.confrelid
       WHERE k.contype = 'f' AND NOT EXISTS (
         SELECT FROM unnest(k.conkey, k.confkey) AS pair (own, other)
           JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = own AND a.attname = 'tenant_id'
           JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = other AND b.attname = 'tenant_id')`,
    args: [SCHEMAS],
  },
  {
    promise: 'no service role is a superuser, bypasses row-level security or can act as an owner of tables',
    sql: `
      SELECT r.rolname AS role FROM pg_roles r
       WHERE r.rolname = ANY ($2::name[])
         AND (r.rolsuper OR r.rolbypassrls OR EXISTS (
               SELECT FROM pg_class c WHERE c.relnamespace = ANY ($1::text[]::regnamespace[]) AND c.relkind IN ('r', 'p')
                  AND pg_has_role(r.oid, c.relowner, 'MEMBER')))`,
    args: [SCHEMAS, SERVICE_ROLES],
  },
  {
    promise: 'builds, the audit trail and verification records are append-only for every service role',
    sql: `
      SELECT r.rolname AS role, t.name AS "table", privilege
        FROM pg_roles r,
             unnest(ARRAY['builds.builds', 'audit.audit_events', 'reviews.verifications', 'reviews.queue_moves']) AS t (name),
             unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS privilege
       WHERE r.rolname = ANY ($1::name[]) AND has_table_privilege(r.oid, t.name, privilege)`,
    args: [SERVICE_ROLES],
  },
  {
    promise: 'a published function has a fixed search path and no more rights than a table owner',
    sql: `
      SELECT f.oid::regprocedure::text AS function
        FROM pg_proc f JOIN pg_roles o ON o.oid = f.proowner
       WHERE f.pronamespace = ANY ($1::text[]::regnamespace[]) AND f.prosecdef
         AND (o.rolsuper OR o.rolbypassrls
              OR NOT EXISTS (SELECT FROM unnest(f.proconfig) AS setting WHERE setting LIKE 'search_path=%'))`,
    args: [SCHEMAS],
  },
  {
    // A foreign key to a partitioned table has a part for each partition, which PostgreSQL 15 never marks as validated.
    promise: 'every constraint is validated, and every index usable',
    sql: `
      SELECT k.conrelid::regclass::text AS "table", k.conname::text AS name FROM pg_constraint k
       WHERE k.connamespace = ANY ($1::text[]::regnamespace[]) AND NOT k.convalidated AND k.conparentid = 0
      UNION ALL
      SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE c.relnamespace = ANY ($1::text[]::regnamespace[]) AND NOT i.indisvalid`,
    args: [SCHEMAS],
  },
];
