-- Makes the roles and the schemas. A service's login owns nothing, inherits nothing and cannot bypass row-level security.
-- Each schema has an owner that cannot log in, and its functions run with that owner's rights.
-- The roles belong to the whole cluster: another database of it may have made them already.

DO $$
DECLARE
  owner_role text;
  login_role text;
BEGIN
  FOREACH owner_role IN ARRAY ARRAY['plat_identity_owner', 'plat_environments_owner', 'plat_reviews_owner',
                                    'plat_builds_owner', 'plat_releases_owner', 'plat_audit_owner',
                                    'plat_ledger_owner', 'plat_figures_owner',
                                    -- This role seals the logs of all tenants, and reads every tenant's rows for `npm run invariants`.
                                    'plat_ledger_sealer', 'plat_inspector']
  LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = owner_role) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', owner_role);
    END IF;
    EXECUTE format('GRANT %I TO CURRENT_USER', owner_role);
  END LOOP;
  FOREACH login_role IN ARRAY ARRAY['plat_reviews', 'plat_builds', 'plat_releases', 'plat_audit', 'plat_platform']
  LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = login_role) THEN
      EXECUTE format('CREATE ROLE %I LOGIN NOINHERIT NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE', login_role);
      EXECUTE format('ALTER ROLE %I SET timezone TO %L', login_role, 'UTC');
      -- A statement ends in the database before its service gives it up (12 s, DEADLINES), so that what was answered as
      -- failed is not carried out afterwards, and holds neither a connection nor a queue's lock.
      EXECUTE format('ALTER ROLE %I SET statement_timeout TO %L', login_role, '11s');
      EXECUTE format('ALTER ROLE %I SET lock_timeout TO %L', login_role, '10s');
      EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout TO %L', login_role, '30s');
    END IF;
  END LOOP;
END
$$;

CREATE SCHEMA tenancy;
COMMENT ON SCHEMA tenancy IS
  'Determines the tenant for which a transaction acts, and has the functions that all schemas share: refusals, '
  'row-level security, partitions and pages. It belongs to the owner of the database and has no tables.';
GRANT USAGE ON SCHEMA tenancy TO PUBLIC;

CREATE SCHEMA identity AUTHORIZATION plat_identity_owner;
COMMENT ON SCHEMA identity IS
  'Tenants, the issuers that vouch for their users, users, roles, and the proofs by which a transaction acts for a '
  'caller.';
GRANT USAGE ON SCHEMA identity TO plat_audit, plat_audit_owner, plat_builds, plat_builds_owner,
  plat_environments_owner, plat_inspector, plat_ledger_owner, plat_ledger_sealer, plat_platform,
  plat_releases, plat_releases_owner, plat_reviews, plat_reviews_owner;

CREATE SCHEMA environments AUTHORIZATION plat_environments_owner;
COMMENT ON SCHEMA environments IS
  'Environments, their public names, and the jobs that delete them. The platform service and the database job write '
  'it.';
GRANT USAGE ON SCHEMA environments TO plat_builds, plat_builds_owner, plat_figures_owner, plat_inspector,
  plat_platform;

CREATE SCHEMA reviews AUTHORIZATION plat_reviews_owner;
COMMENT ON SCHEMA reviews IS
  'Reviews, their reviewers and comments, the merge queue, gate runs, and the records of verified merges. The '
  'reviews service is its only writer; a build report moves a review by reviews.apply_build.';
GRANT USAGE ON SCHEMA reviews TO plat_builds, plat_builds_owner, plat_figures_owner, plat_inspector,
  plat_ledger_owner, plat_ledger_sealer, plat_releases, plat_releases_owner, plat_reviews;

CREATE SCHEMA builds AUTHORIZATION plat_builds_owner;
COMMENT ON SCHEMA builds IS
  'Build reports, which are never changed. The builds service is their only writer.';
GRANT USAGE ON SCHEMA builds TO plat_builds, plat_inspector, plat_releases_owner, plat_reviews,
  plat_reviews_owner;

CREATE SCHEMA releases AUTHORIZATION plat_releases_owner;
COMMENT ON SCHEMA releases IS
  'The release queue: one release for each commit, and at most one running release for each tenant; first in, first '
  'out.';
GRANT USAGE ON SCHEMA releases TO plat_builds_owner, plat_inspector, plat_releases, plat_reviews,
  plat_reviews_owner;

CREATE SCHEMA audit AUTHORIZATION plat_audit_owner;
COMMENT ON SCHEMA audit IS
  'The audit trail. Every service writes it, by audit.record_requests; the audit service reads it.';
GRANT USAGE ON SCHEMA audit TO plat_audit, plat_builds, plat_inspector, plat_ledger_owner, plat_ledger_sealer,
  plat_platform, plat_releases, plat_reviews;

CREATE SCHEMA ledger AUTHORIZATION plat_ledger_owner;
COMMENT ON SCHEMA ledger IS
  'The sealed logs, one for each tenant. The audit service has rows sealed, signs the stored roots, and reads the '
  'logs; the reviews service reads the entry of a landing. The functions that seal run as plat_ledger_sealer, which '
  'reads all tenants and is granted to no login.';
GRANT USAGE ON SCHEMA ledger TO plat_audit, plat_audit_owner, plat_inspector, plat_ledger_sealer, plat_reviews;

CREATE SCHEMA figures AUTHORIZATION plat_figures_owner;
COMMENT ON SCHEMA figures IS
  'Figures over all tenants, which services show at /metrics. It has no tables. Its functions return sums, ages and '
  'quantiles, and take no argument.';
GRANT USAGE ON SCHEMA figures TO plat_platform, plat_reviews;

-- Large objects are under no policy and no quota. The functions belong to whoever made the cluster: if that is another
-- role, PostgreSQL warns and changes nothing.
DO $$
DECLARE
  called regprocedure;
BEGIN
  FOR called IN SELECT p.oid FROM pg_proc p
                 WHERE p.pronamespace = 'pg_catalog'::regnamespace
                   AND (p.proname LIKE 'lo\_%' OR p.proname IN ('loread', 'lowrite')) AND p.proname <> 'lo_close'
                   -- PostgreSQL refuses an owner who is no superuser for a function that PUBLIC cannot call.
                   AND EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
                                WHERE a.grantee = 0)
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', called);
  END LOOP;
END
$$;
