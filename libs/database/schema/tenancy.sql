-- The schema tenancy after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Partitions are left out.

-- Says for which tenant a transaction speaks, and holds what all schemas share: refusals, row-level security,
-- partitions and pages. It belongs to the owner of the database and has no tables.
CREATE SCHEMA tenancy;
GRANT USAGE ON SCHEMA tenancy TO PUBLIC;

-- Returns whether the transaction reads across tenants: it asked for that when it entered, and its user belongs to
-- the operations tenant. The policies named operations_published, identity.readable_tenants and the listings ask it.
CREATE OR REPLACE FUNCTION tenancy.across()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((COALESCE(current_setting('plat.across'::text, true), ''::text) = 'on'::text) AND identity.entered_operations());

-- Deletes the newest rows of a tenant from a table, at most so many, and returns how many. It runs with the rights of
-- its caller, who must own the table and have entered the tenant. npm run db -- delete-tenant calls it.
CREATE OR REPLACE FUNCTION tenancy.delete_rows(target regclass, tenant uuid, most integer, condition text DEFAULT 'true'::text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  -- The tenant is the first column of each key, and ids rise with time: replies go before what they reply to.
  key     text := (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY k.place)
                     FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
                     JOIN pg_attribute a ON a.attnum = k.attnum AND a.attrelid = target
                    WHERE i.indrelid = target AND i.indisprimary AND a.attrelid = i.indrelid);
  newest  text := (SELECT string_agg(part || ' DESC', ', ') FROM unnest(string_to_array(key, ', ')) AS part);
  deleted bigint;
BEGIN
  EXECUTE format('DELETE FROM %1$s WHERE tenant_id = $1 AND (%2$s) IN (
                    SELECT %2$s FROM %1$s WHERE tenant_id = $1 AND (%3$s) ORDER BY %4$s LIMIT $2)',
                 target, key, condition, newest) USING tenant, most;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END
$function$;

-- Takes from the logins what only a release from before 0025 needs, and stops believing a tenant that is merely
-- named. It may run again at any time. npm run db -- finish calls it, and the migration of a new database.
CREATE OR REPLACE PROCEDURE tenancy.end_transition()
 LANGUAGE plpgsql
AS $procedure$
DECLARE
  login  name;
  target record;
BEGIN
  FOR target IN SELECT c.oid::regclass AS name FROM pg_class c
                 WHERE c.relkind IN ('r', 'p', 'S') AND pg_get_userbyid(c.relowner) LIKE 'plat\_%\_owner'
  LOOP
    FOREACH login IN ARRAY ARRAY['plat_reviews', 'plat_builds', 'plat_releases', 'plat_audit', 'plat_platform',
                                 'plat_operations']::name[]
    LOOP
      EXECUTE format('REVOKE ALL ON %s FROM %I', target.name, login);
    END LOOP;
  END LOOP;
  -- Columns have grants of their own.
  REVOKE ALL (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id, external_org_id,
              type, api_method, api_path, mcp_tool, cli_command, created_at)
    ON audit.audit_events FROM plat_audit, plat_operations;
  REVOKE ALL (verdict, failing_step, log_ref, updated_at) ON reviews.gate_runs FROM plat_reviews;

  FOR target IN SELECT p.polname AS policy, p.polrelid::regclass AS name FROM pg_policy p WHERE p.polname = 'operations'
  LOOP
    EXECUTE format('DROP POLICY operations ON %s', target.name);
  END LOOP;

  FOR target IN SELECT f.oid::regprocedure AS name FROM pg_proc f
                 WHERE pg_get_userbyid(f.proowner) LIKE 'plat\_%\_owner'
                   AND has_function_privilege('plat_operations', f.oid, 'EXECUTE')
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM plat_operations', target.name);
  END LOOP;

  REVOKE EXECUTE ON FUNCTION
    reviews.lock_queue(uuid, text), reviews.lock_review(uuid, uuid), reviews.plain_cause(text),
    reviews.log_move(reviews.reviews, text, uuid, text, text), reviews.promote(reviews.reviews, boolean, text),
    reviews.make_ready(reviews.reviews, uuid), reviews.fail(reviews.reviews, uuid), reviews.close(reviews.reviews),
    reviews.head_of(uuid, text, text), reviews.next_waiting_repository(uuid, text, text),
    reviews.refuse_ambiguous(uuid, text), reviews.occupant(uuid, text, text, boolean),
    reviews.look_at_head(uuid, text, text), reviews.open_threads(reviews.reviews),
    reviews.may_continue(reviews.reviews), reviews.anchor(uuid, text, text), reviews.review_exists(uuid, uuid),
    reviews.apply_build(uuid, uuid, uuid, text, boolean), reviews.begin_build_report(uuid, uuid),
    reviews.list_reviews(uuid, text, text, text, text, uuid, uuid), reviews.list_merge_queue(uuid, text, text),
    builds.build_facts(uuid, uuid), releases.enqueue(uuid, uuid, uuid, text, text) FROM plat_reviews;
  REVOKE EXECUTE ON FUNCTION
    reviews.review_exists(uuid, uuid), reviews.apply_build(uuid, uuid, uuid, text, boolean),
    reviews.begin_build_report(uuid, uuid), environments.environment_name(uuid, uuid),
    builds.list_review_builds(uuid, uuid) FROM plat_builds;
  REVOKE EXECUTE ON FUNCTION reviews.review_exists(uuid, uuid), releases.list_releases(uuid, text, uuid, text),
    releases.list_review_releases(uuid, uuid) FROM plat_releases;
  REVOKE EXECUTE ON FUNCTION environments.claim_deletion(uuid, int), environments.list_environments(uuid),
    identity.list_users(uuid), identity.list_roles(uuid), identity.tenant_name(uuid) FROM plat_platform;
  REVOKE EXECUTE ON FUNCTION audit.record(jsonb), identity.resolve(text, text, text), identity.readable_tenants(uuid)
    FROM plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform;

  UPDATE identity.proof_keys SET release_before = false, closed = true;
END
$procedure$;

-- Enters a tenant and user by naming them, and returns the tenant. It serves only a release from before 0023: nothing
-- believes it after tenancy.end_transition.
CREATE OR REPLACE FUNCTION tenancy.enter(tenant uuid, usr uuid, read_across boolean)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM set_config('plat.tenant_id', tenant::text, true), set_config('plat.user_id', usr::text, true);
  IF read_across THEN
    PERFORM set_config('plat.across', 'on', true), set_config('role', 'plat_operations', true);
  END IF;
  RETURN tenant;
END
$function$;

-- Enters the tenant of a proof for the rest of the transaction and returns the tenant, so that a statement can make
-- its work depend on having entered. Raises insufficient_privilege for a proof that identity has not sealed or that
-- has ended, and refuses a tenant that is not served, as identity.expect_open does; an empty proof enters nothing.
-- Every transaction of a service for a tenant begins with it.
CREATE OR REPLACE FUNCTION tenancy.enter_as(proof text, read_across boolean)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM set_config('plat.proof', proof, true),
          set_config('plat.across', CASE WHEN read_across THEN 'on' ELSE '' END, true);
  RETURN identity.open_tenant();
END
$function$;

-- Returns the lower bound of the UUIDv7s of a moment, at which a partition of a table begins that is partitioned by
-- its id. tenancy.make_partitions calls it.
CREATE OR REPLACE FUNCTION tenancy.first_id(moment timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((lpad(to_hex(((EXTRACT(epoch FROM moment) * (1000)::numeric))::bigint), 12, '0'::text) || '70000000000000000000'::text))::uuid;

-- Puts a partition under forced row-level security without a policy, so that its rows are reached through its parent
-- only. tenancy.make_partitions calls it.
CREATE OR REPLACE PROCEDURE tenancy.lock_partition(IN partition regclass)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', partition);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', partition);
END
$procedure$;

-- Makes the missing monthly partitions of a table, from the month of the first day on, in UTC. It makes each one
-- aside and attaches it under the lock of the parent, which stops no writer of the table. The migration,
-- audit.make_partitions and builds.make_partitions call it.
CREATE OR REPLACE PROCEDURE tenancy.make_partitions(IN parent regclass, IN first_day date, IN months integer)
 LANGUAGE plpgsql
AS $procedure$
DECLARE
  by_id  boolean := pg_get_partkeydef(parent) ~ '_id\)$' ;
  schema name := (SELECT relnamespace::regnamespace::name FROM pg_class WHERE oid = parent);
  stem   name := (SELECT relname FROM pg_class WHERE oid = parent);
  owner_role name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = parent);
  month  timestamptz;
  after  timestamptz;
  part   text;
BEGIN
  FOR step IN 0 .. months - 1
  LOOP
    -- Reckoned without a time zone: a session's zone may skip or repeat an hour, or a day, where a month begins.
    month := (date_trunc('month', first_day::timestamp) + make_interval(months => step)) AT TIME ZONE 'UTC';
    after := (date_trunc('month', first_day::timestamp) + make_interval(months => step + 1)) AT TIME ZONE 'UTC';
    part := format('%I.%I', schema, stem || to_char(month AT TIME ZONE 'UTC', '_YYYY_MM'));
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
    -- Somebody else may have made it while this waited.
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', part, parent);
    EXECUTE format('ALTER TABLE %s OWNER TO %I', part, owner_role);
    CALL tenancy.lock_partition(part::regclass);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, part,
      CASE WHEN by_id THEN tenancy.first_id(month)::text ELSE month::text END,
      CASE WHEN by_id THEN tenancy.first_id(after)::text ELSE after::text END);
  END LOOP;
END
$procedure$;

-- Returns the text of a statement that reads one page in the given order (newest_first, which may be any order): of
-- the tenant that is its $1, or, in a transaction that reads across tenants, of the first rows of each tenant. The
-- selection and the conditions name the table e; size is the parameter that bounds the page. The listings of all
-- schemas execute it.
CREATE OR REPLACE FUNCTION tenancy.page_statement(selected text, conditions text, newest_first text, size text)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN format(CASE WHEN tenancy.across() THEN 'SELECT e.* FROM unnest(identity.readable_tenants($1)) AS t (tenant_id)
      CROSS JOIN LATERAL (%1$s WHERE e.tenant_id = t.tenant_id%2$s ORDER BY %3$s LIMIT %4$s) AS e
      ORDER BY %3$s LIMIT %4$s'::text ELSE '%1$s WHERE e.tenant_id = $1%2$s ORDER BY %3$s LIMIT %4$s'::text END, selected, conditions, newest_first, size);

-- Returns the end of the months, from the present one on, that have a partition without a gap: rows of that time or
-- later are refused. It is the beginning of the present month if that has none. audit.partitions_until and
-- builds.partitions_until call it.
CREATE OR REPLACE FUNCTION tenancy.partitions_until(parent regclass)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  stem  text := (SELECT format('%s.%s', relnamespace::regnamespace, relname) FROM pg_class WHERE oid = parent);
  month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
BEGIN
  WHILE EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = parent AND NOT i.inhdetachpending
                   AND i.inhrelid = to_regclass(stem || to_char(month, '_YYYY_MM')))
  LOOP
    month := month + interval '1 month';
  END LOOP;
  RETURN month AT TIME ZONE 'UTC';
END
$function$;

-- Puts a table with a tenant_id under forced row-level security: rows of the entered tenant, reads across tenants for
-- its owner, and reads of all rows for plat_inspector. Migrations call it for each new table of tenants.
CREATE OR REPLACE PROCEDURE tenancy.protect(IN target regclass)
 LANGUAGE plpgsql
AS $procedure$
DECLARE
  owner_role name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = target);
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY tenant ON %s USING (tenant_id = (SELECT tenancy.tenant_id()))
                  WITH CHECK (tenant_id = (SELECT tenancy.tenant_id()))', target);
  EXECUTE format('CREATE POLICY operations_published ON %s FOR SELECT TO %I USING ((SELECT tenancy.across()))',
                 target, owner_role);
  EXECUTE format('CREATE POLICY inspection ON %s FOR SELECT TO plat_inspector USING (true)', target);
  EXECUTE format('GRANT SELECT ON %s TO plat_inspector', target);
END
$procedure$;

-- Raises SQLSTATE PL001 with a code of the error registry as its message, so that the request is answered with that
-- code. The details become the details of the answer; the message, if given, replaces the text of the registry.
CREATE OR REPLACE FUNCTION tenancy.refuse(code text, details jsonb DEFAULT NULL::jsonb, message text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'PL001', MESSAGE = code,
    DETAIL = coalesce(details::text, ''), HINT = coalesce(message, '');
END
$function$;

-- Returns the tenant that the transaction has entered, or NULL. Every policy named tenant asks it.
CREATE OR REPLACE FUNCTION tenancy.tenant_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN identity.entered_tenant();

-- Returns the user that the transaction speaks for, or NULL. Functions that record an author ask it, so that no
-- caller names one.
CREATE OR REPLACE FUNCTION tenancy.user_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN identity.entered_user();

GRANT EXECUTE ON FUNCTION tenancy.across() TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.delete_rows(regclass,uuid,integer,text) TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION tenancy.delete_rows(regclass,uuid,integer,text) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION tenancy.delete_rows(regclass,uuid,integer,text) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION tenancy.delete_rows(regclass,uuid,integer,text) TO plat_identity_owner;
GRANT EXECUTE ON FUNCTION tenancy.delete_rows(regclass,uuid,integer,text) TO plat_ledger_owner;
GRANT EXECUTE ON FUNCTION tenancy.delete_rows(regclass,uuid,integer,text) TO plat_releases_owner;
GRANT EXECUTE ON FUNCTION tenancy.delete_rows(regclass,uuid,integer,text) TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION tenancy.enter(uuid,uuid,boolean) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.enter_as(text,boolean) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.first_id(timestamp with time zone) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.page_statement(text,text,text,text) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.partitions_until(regclass) TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION tenancy.partitions_until(regclass) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION tenancy.refuse(text,jsonb,text) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.tenant_id() TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.user_id() TO PUBLIC;
GRANT EXECUTE ON PROCEDURE tenancy.lock_partition(regclass) TO plat_audit_owner;
GRANT EXECUTE ON PROCEDURE tenancy.lock_partition(regclass) TO plat_builds_owner;
GRANT EXECUTE ON PROCEDURE tenancy.make_partitions(regclass,date,integer) TO plat_audit_owner;
GRANT EXECUTE ON PROCEDURE tenancy.make_partitions(regclass,date,integer) TO plat_builds_owner;
