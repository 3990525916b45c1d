-- Who owns what, who logs in, and how a statement says for which tenant it speaks.
-- Guarantees: a service's login role owns nothing and cannot bypass row-level security; an unset tenant matches no row.
-- Runs in milliseconds; roles are shared by the cluster and kept when they exist.

DO $$
DECLARE
  owner_role text;
  login_role text;
BEGIN
  FOREACH owner_role IN ARRAY ARRAY['plat_identity_owner', 'plat_reviews_owner', 'plat_builds_owner',
                                    'plat_releases_owner', 'plat_audit_owner', 'plat_environments_owner']
  LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = owner_role) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', owner_role);
    END IF;
    EXECUTE format('GRANT %I TO CURRENT_USER', owner_role);
  END LOOP;
  -- Reads across tenants for callers of the operations tenant; it has SELECT and nothing else.
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plat_operations') THEN
    CREATE ROLE plat_operations NOLOGIN;
  END IF;
  FOREACH login_role IN ARRAY ARRAY['plat_reviews', 'plat_builds', 'plat_releases', 'plat_audit', 'plat_platform']
  LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = login_role) THEN
      -- NOINHERIT: the reader's grants count only where a statement has taken that role.
      EXECUTE format('CREATE ROLE %I LOGIN NOINHERIT NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE', login_role);
      EXECUTE format('ALTER ROLE %I SET timezone TO %L', login_role, 'UTC');
      -- Nothing a service does takes longer; what does is stuck, and must not keep a connection or a queue's lock.
      EXECUTE format('ALTER ROLE %I SET statement_timeout TO %L', login_role, '30s');
      EXECUTE format('ALTER ROLE %I SET lock_timeout TO %L', login_role, '10s');
      EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout TO %L', login_role, '30s');
    END IF;
    EXECUTE format('GRANT plat_operations TO %I', login_role);
  END LOOP;
END
$$;

CREATE SCHEMA tenancy;
GRANT USAGE ON SCHEMA tenancy TO PUBLIC;

-- The tenant that the transaction speaks for; NULL when none is set ('' is what a pooler leaves behind).
CREATE FUNCTION tenancy.tenant_id() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('plat.tenant_id', true), '')::uuid;

CREATE FUNCTION tenancy.user_id() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('plat.user_id', true), '')::uuid;

-- Whether the transaction reads for a caller of the operations tenant.
CREATE FUNCTION tenancy.across() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('plat.across', true), '') = 'on';

-- Sets tenant and user for the rest of the transaction, and for a cross-tenant read takes the read-only role.
-- Answers the tenant, so that a statement can make its work depend on having entered.
CREATE FUNCTION tenancy.enter(tenant uuid, usr uuid, read_across boolean) RETURNS uuid
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  PERFORM set_config('plat.tenant_id', tenant::text, true), set_config('plat.user_id', usr::text, true);
  IF read_across THEN
    PERFORM set_config('plat.across', 'on', true), set_config('role', 'plat_operations', true);
  END IF;
  RETURN tenant;
END
$$;

-- Refuses the statement with a code of the error registry. `details` becomes the answer's details.
CREATE FUNCTION tenancy.refuse(code text, details jsonb DEFAULT NULL, message text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'PL001', MESSAGE = code,
    DETAIL = coalesce(details::text, ''), HINT = coalesce(message, '');
END
$$;

-- Puts a tenant table under row-level security: rows of the transaction's tenant, and reads across for operations.
CREATE PROCEDURE tenancy.protect(target regclass)
LANGUAGE plpgsql
AS $$
DECLARE
  owner_role name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = target);
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY tenant ON %s USING (tenant_id = tenancy.tenant_id())
                  WITH CHECK (tenant_id = tenancy.tenant_id())', target);
  EXECUTE format('CREATE POLICY operations ON %s FOR SELECT TO plat_operations USING (true)', target);
  -- Published functions run as the owner; they follow a cross-tenant read, and only a read.
  EXECUTE format('CREATE POLICY operations_published ON %s FOR SELECT TO %I USING (tenancy.across())', target, owner_role);
  EXECUTE format('GRANT SELECT ON %s TO plat_operations', target);
END
$$;
REVOKE ALL ON PROCEDURE tenancy.protect(regclass) FROM PUBLIC;

-- A partition is reached through its parent only, whose policies then hold: alone it shows nothing.
CREATE PROCEDURE tenancy.lock_partition(partition regclass)
LANGUAGE plpgsql
AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', partition);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', partition);
END
$$;
REVOKE ALL ON PROCEDURE tenancy.lock_partition(regclass) FROM PUBLIC;

-- The smallest UUIDv7 of a moment: the bound of a table that is partitioned by its time-ordered id.
CREATE FUNCTION tenancy.first_id(moment timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '70000000000000000000')::uuid;

-- Makes monthly partitions from the month of `first_day`, where they are missing. A month that the default
-- partition already holds rows of is left to it. Called by the database job at each run.
CREATE PROCEDURE tenancy.make_partitions(parent regclass, first_day date, months int)
LANGUAGE plpgsql
AS $$
DECLARE
  by_id  boolean := pg_get_partkeydef(parent) ~ '_id\)$' ;
  schema name := (SELECT relnamespace::regnamespace::name FROM pg_class WHERE oid = parent);
  stem   name := (SELECT relname FROM pg_class WHERE oid = parent);
  owner_role name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = parent);
  month  timestamptz;
  part   text;
BEGIN
  FOR month IN SELECT generate_series(date_trunc('month', first_day::timestamp) AT TIME ZONE 'UTC',
                                      (date_trunc('month', first_day::timestamp) + make_interval(months => months - 1))
                                        AT TIME ZONE 'UTC', interval '1 month')
  LOOP
    part := format('%I.%I', schema, stem || to_char(month AT TIME ZONE 'UTC', '_YYYY_MM'));
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE TABLE %s PARTITION OF %s FOR VALUES FROM (%L) TO (%L)', part, parent,
        CASE WHEN by_id THEN tenancy.first_id(month)::text ELSE month::text END,
        CASE WHEN by_id THEN tenancy.first_id(month + interval '1 month')::text
             ELSE (month + interval '1 month')::text END);
      EXECUTE format('ALTER TABLE %s OWNER TO %I', part, owner_role);
      CALL tenancy.lock_partition(part::regclass);
    EXCEPTION WHEN check_violation THEN
      RAISE NOTICE 'the default partition already holds rows of %', part;
    END;
  END LOOP;
END
$$;
REVOKE ALL ON PROCEDURE tenancy.make_partitions(regclass, date, int) FROM PUBLIC;
