-- The schema after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Monthly partitions are left out.

CREATE ROLE plat_audit LOGIN NOINHERIT;
GRANT plat_operations TO plat_audit;
ALTER ROLE plat_audit SET TimeZone=UTC;
ALTER ROLE plat_audit SET idle_in_transaction_session_timeout=30s;
ALTER ROLE plat_audit SET lock_timeout=10s;
ALTER ROLE plat_audit SET statement_timeout=11s;
CREATE ROLE plat_audit_owner NOLOGIN;
CREATE ROLE plat_builds LOGIN NOINHERIT;
GRANT plat_operations TO plat_builds;
ALTER ROLE plat_builds SET TimeZone=UTC;
ALTER ROLE plat_builds SET idle_in_transaction_session_timeout=30s;
ALTER ROLE plat_builds SET lock_timeout=10s;
ALTER ROLE plat_builds SET statement_timeout=11s;
CREATE ROLE plat_builds_owner NOLOGIN;
CREATE ROLE plat_environments_owner NOLOGIN;
CREATE ROLE plat_identity_owner NOLOGIN;
CREATE ROLE plat_inspector NOLOGIN;
CREATE ROLE plat_operations NOLOGIN;
CREATE ROLE plat_platform LOGIN NOINHERIT;
GRANT plat_operations TO plat_platform;
ALTER ROLE plat_platform SET TimeZone=UTC;
ALTER ROLE plat_platform SET idle_in_transaction_session_timeout=30s;
ALTER ROLE plat_platform SET lock_timeout=10s;
ALTER ROLE plat_platform SET statement_timeout=11s;
CREATE ROLE plat_releases LOGIN NOINHERIT;
GRANT plat_operations TO plat_releases;
ALTER ROLE plat_releases SET TimeZone=UTC;
ALTER ROLE plat_releases SET idle_in_transaction_session_timeout=30s;
ALTER ROLE plat_releases SET lock_timeout=10s;
ALTER ROLE plat_releases SET statement_timeout=11s;
CREATE ROLE plat_releases_owner NOLOGIN;
CREATE ROLE plat_reviews LOGIN NOINHERIT;
GRANT plat_operations TO plat_reviews;
ALTER ROLE plat_reviews SET TimeZone=UTC;
ALTER ROLE plat_reviews SET idle_in_transaction_session_timeout=30s;
ALTER ROLE plat_reviews SET lock_timeout=10s;
ALTER ROLE plat_reviews SET statement_timeout=11s;
CREATE ROLE plat_reviews_owner NOLOGIN;

--
-- tenancy
--

CREATE SCHEMA tenancy;
GRANT USAGE ON SCHEMA tenancy TO PUBLIC;

CREATE OR REPLACE FUNCTION tenancy.across()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((COALESCE(current_setting('plat.across'::text, true), ''::text) = 'on'::text) AND identity.entered_operations());

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
    reviews.lock_queue(uuid, text), reviews.lock_review(uuid, uuid), reviews.log_move(reviews.reviews, text),
    reviews.make_ready(reviews.reviews, uuid), reviews.fail(reviews.reviews, uuid), reviews.close(reviews.reviews),
    reviews.head_of(uuid, text, text), reviews.next_waiting_repository(uuid, text, text),
    reviews.refuse_ambiguous(uuid, text), reviews.occupant(uuid, text, text, boolean),
    reviews.look_at_head(uuid, text, text), reviews.open_threads(reviews.reviews), reviews.promote(reviews.reviews),
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

CREATE OR REPLACE FUNCTION tenancy.enter_as(proof text, read_across boolean)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM set_config('plat.proof', proof, true),
          set_config('plat.across', CASE WHEN read_across THEN 'on' ELSE '' END, true);
  RETURN tenancy.tenant_id();
END
$function$;

CREATE OR REPLACE FUNCTION tenancy.first_id(moment timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((lpad(to_hex(((EXTRACT(epoch FROM moment) * (1000)::numeric))::bigint), 12, '0'::text) || '70000000000000000000'::text))::uuid;

CREATE OR REPLACE PROCEDURE tenancy.lock_partition(IN partition regclass)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', partition);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', partition);
END
$procedure$;

CREATE OR REPLACE PROCEDURE tenancy.make_partitions(IN parent regclass, IN first_day date, IN months integer)
 LANGUAGE plpgsql
AS $procedure$
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
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
    -- Somebody else may have made it while this waited.
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', part, parent);
      EXECUTE format('ALTER TABLE %s OWNER TO %I', part, owner_role);
      CALL tenancy.lock_partition(part::regclass);
      EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, part,
        CASE WHEN by_id THEN tenancy.first_id(month)::text ELSE month::text END,
        CASE WHEN by_id THEN tenancy.first_id(month + interval '1 month')::text
             ELSE (month + interval '1 month')::text END);
    EXCEPTION WHEN check_violation THEN
      RAISE NOTICE 'the default partition already holds rows of %', part;
    END;
  END LOOP;
END
$procedure$;

CREATE OR REPLACE FUNCTION tenancy.page_statement(selected text, conditions text, newest_first text, size text)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN format(CASE WHEN tenancy.across() THEN 'SELECT e.* FROM unnest(identity.readable_tenants($1)) AS t (tenant_id)
      CROSS JOIN LATERAL (%1$s WHERE e.tenant_id = t.tenant_id%2$s ORDER BY %3$s LIMIT %4$s) AS e
      ORDER BY %3$s LIMIT %4$s'::text ELSE '%1$s WHERE e.tenant_id = $1%2$s ORDER BY %3$s LIMIT %4$s'::text END, selected, conditions, newest_first, size);

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

CREATE OR REPLACE FUNCTION tenancy.refuse(code text, details jsonb DEFAULT NULL::jsonb, message text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'PL001', MESSAGE = code,
    DETAIL = coalesce(details::text, ''), HINT = coalesce(message, '');
END
$function$;

CREATE OR REPLACE FUNCTION tenancy.tenant_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN identity.entered_tenant();

CREATE OR REPLACE FUNCTION tenancy.user_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN identity.entered_user();

GRANT EXECUTE ON FUNCTION tenancy.across() TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.enter(uuid,uuid,boolean) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.enter_as(text,boolean) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.first_id(timestamp with time zone) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.page_statement(text,text,text,text) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.refuse(text,jsonb,text) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.tenant_id() TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.user_id() TO PUBLIC;
GRANT EXECUTE ON PROCEDURE tenancy.lock_partition(regclass) TO plat_audit_owner;
GRANT EXECUTE ON PROCEDURE tenancy.lock_partition(regclass) TO plat_builds_owner;
GRANT EXECUTE ON PROCEDURE tenancy.make_partitions(regclass,date,integer) TO plat_audit_owner;
GRANT EXECUTE ON PROCEDURE tenancy.make_partitions(regclass,date,integer) TO plat_builds_owner;

--
-- identity
--

CREATE SCHEMA identity AUTHORIZATION plat_identity_owner;
GRANT USAGE ON SCHEMA identity TO plat_audit;
GRANT USAGE ON SCHEMA identity TO plat_audit_owner;
GRANT USAGE ON SCHEMA identity TO plat_builds;
GRANT USAGE ON SCHEMA identity TO plat_builds_owner;
GRANT USAGE ON SCHEMA identity TO plat_environments_owner;
GRANT USAGE ON SCHEMA identity TO plat_inspector;
GRANT USAGE ON SCHEMA identity TO plat_operations;
GRANT USAGE ON SCHEMA identity TO plat_platform;
GRANT USAGE ON SCHEMA identity TO plat_releases;
GRANT USAGE ON SCHEMA identity TO plat_releases_owner;
GRANT USAGE ON SCHEMA identity TO plat_reviews;
GRANT USAGE ON SCHEMA identity TO plat_reviews_owner;

CREATE TABLE identity.tenants (
  tenant_id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT tenants_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT tenants_name_key UNIQUE (name),
  CONSTRAINT tenants_kind_check CHECK ((kind = ANY (ARRAY['company'::text, 'operations'::text]))),
  CONSTRAINT tenants_name_check CHECK ((name ~ '^[a-z][a-z0-9-]{0,62}$'::text))
);

CREATE TABLE identity.issuers (
  issuer_id uuid NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  audience text NOT NULL,
  tenant_id uuid,
  organization_claim text,
  CONSTRAINT issuers_pkey PRIMARY KEY (issuer_id),
  CONSTRAINT issuers_name_key UNIQUE (name),
  CONSTRAINT issuers_url_key UNIQUE (url),
  CONSTRAINT issuers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id),
  CONSTRAINT issuers_check CHECK (((tenant_id IS NULL) <> (organization_claim IS NULL)))
);

CREATE TABLE identity.organizations (
  issuer_id uuid NOT NULL,
  organization_id text NOT NULL,
  tenant_id uuid NOT NULL,
  CONSTRAINT organizations_pkey PRIMARY KEY (issuer_id, organization_id),
  CONSTRAINT organizations_issuer_id_fkey FOREIGN KEY (issuer_id) REFERENCES identity.issuers(issuer_id),
  CONSTRAINT organizations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id)
);

CREATE TABLE identity.users (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  username text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT users_pkey PRIMARY KEY (tenant_id, user_id),
  CONSTRAINT users_tenant_id_username_key UNIQUE (tenant_id, username),
  CONSTRAINT users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id),
  CONSTRAINT users_username_check CHECK ((username <> ''::text))
);

CREATE TABLE identity.subjects (
  tenant_id uuid NOT NULL,
  issuer_id uuid NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT subjects_pkey PRIMARY KEY (tenant_id, issuer_id, subject),
  CONSTRAINT subjects_issuer_id_fkey FOREIGN KEY (issuer_id) REFERENCES identity.issuers(issuer_id),
  CONSTRAINT subjects_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users(tenant_id, user_id)
);

CREATE TABLE identity.roles (
  tenant_id uuid NOT NULL,
  role_id uuid NOT NULL,
  name text NOT NULL,
  CONSTRAINT roles_pkey PRIMARY KEY (tenant_id, role_id),
  CONSTRAINT roles_tenant_id_name_key UNIQUE (tenant_id, name),
  CONSTRAINT roles_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id),
  CONSTRAINT roles_name_check CHECK ((name <> ''::text))
);

CREATE TABLE identity.role_permissions (
  tenant_id uuid NOT NULL,
  role_id uuid NOT NULL,
  permission integer NOT NULL,
  api_method text,
  api_path text,
  api_method_pattern text,
  api_path_pattern text,
  CONSTRAINT role_permissions_pkey PRIMARY KEY (tenant_id, role_id, permission),
  CONSTRAINT role_permissions_tenant_id_role_id_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES identity.roles(tenant_id, role_id) ON DELETE CASCADE,
  CONSTRAINT role_permissions_check CHECK ((((num_nulls(api_method, api_path) = 0) AND (num_nonnulls(api_method_pattern, api_path_pattern) = 0)) OR ((num_nonnulls(api_method, api_path) = 0) AND (num_nulls(api_method_pattern, api_path_pattern) = 0))))
);

CREATE TABLE identity.user_roles (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role_id uuid NOT NULL,
  CONSTRAINT user_roles_pkey PRIMARY KEY (tenant_id, user_id, role_id),
  CONSTRAINT user_roles_tenant_id_role_id_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES identity.roles(tenant_id, role_id),
  CONSTRAINT user_roles_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users(tenant_id, user_id)
);

CREATE TABLE identity.proof_keys (
  only_row boolean NOT NULL DEFAULT true,
  key bytea NOT NULL,
  release_before boolean NOT NULL,
  closed boolean NOT NULL DEFAULT false,
  CONSTRAINT proof_keys_pkey PRIMARY KEY (only_row),
  CONSTRAINT proof_keys_key_check CHECK ((length(key) = 32)),
  CONSTRAINT proof_keys_only_row_check CHECK (only_row)
);

CREATE TABLE identity.schema_state (
  only_row boolean NOT NULL DEFAULT true,
  version text NOT NULL,
  works_from text NOT NULL,
  CONSTRAINT schema_state_pkey PRIMARY KEY (only_row),
  CONSTRAINT schema_state_only_row_check CHECK (only_row)
);

ALTER TABLE identity.tenants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.tenants TO plat_identity_owner USING ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL)) WITH CHECK ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL));
CREATE POLICY inspection ON identity.tenants FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON identity.tenants FOR SELECT TO plat_identity_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON identity.tenants USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE identity.issuers DISABLE ROW LEVEL SECURITY;

ALTER TABLE identity.organizations DISABLE ROW LEVEL SECURITY;

ALTER TABLE identity.users ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.users TO plat_identity_owner USING ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL)) WITH CHECK ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL));
CREATE POLICY inspection ON identity.users FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON identity.users FOR SELECT TO plat_identity_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON identity.users USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE identity.subjects ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.subjects TO plat_identity_owner USING ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL)) WITH CHECK ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL));
CREATE POLICY inspection ON identity.subjects FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON identity.subjects FOR SELECT TO plat_identity_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON identity.subjects USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE identity.roles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.roles TO plat_identity_owner USING ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL)) WITH CHECK ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL));
CREATE POLICY inspection ON identity.roles FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON identity.roles FOR SELECT TO plat_identity_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON identity.roles USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE identity.role_permissions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.role_permissions TO plat_identity_owner USING ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL)) WITH CHECK ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL));
CREATE POLICY inspection ON identity.role_permissions FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON identity.role_permissions FOR SELECT TO plat_identity_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON identity.role_permissions USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE identity.user_roles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.user_roles TO plat_identity_owner USING ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL)) WITH CHECK ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL));
CREATE POLICY inspection ON identity.user_roles FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON identity.user_roles FOR SELECT TO plat_identity_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON identity.user_roles USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE identity.proof_keys DISABLE ROW LEVEL SECURITY;

ALTER TABLE identity.schema_state DISABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION identity.caller_digest(issuer_url text, token_subject text, organization text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN encode(sha256(convert_to((jsonb_build_array(issuer_url, token_subject, organization))::text, 'UTF8'::name)), 'hex'::text);

CREATE OR REPLACE FUNCTION identity.caller_of(proof text, issuer_url text, token_subject text, organization text)
 RETURNS TABLE(tenant_id uuid, user_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM identity.expect_proof(proof);
  IF substr(proof, 84, 64) <> identity.caller_digest(issuer_url, token_subject, organization) THEN
    RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'the proof is of another caller';
  END IF;
  RETURN QUERY SELECT left(proof, 36)::uuid, substr(proof, 37, 36)::uuid;
END
$function$;

CREATE OR REPLACE FUNCTION identity.can_sign_in(usr uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (
    SELECT FROM identity.subjects s JOIN identity.issuers i USING (issuer_id)
     WHERE s.tenant_id = tenancy.tenant_id() AND s.user_id = usr
       AND (i.tenant_id = tenancy.tenant_id() OR EXISTS (
             SELECT FROM identity.organizations o
              WHERE o.issuer_id = i.issuer_id AND o.tenant_id = tenancy.tenant_id())))
$function$;

CREATE OR REPLACE FUNCTION identity.create_role(tenant uuid, role uuid, named text, permissions jsonb)
 RETURNS TABLE(role_id uuid, name text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM identity.lock_roles();
  INSERT INTO identity.roles (tenant_id, role_id, name) VALUES (tenancy.tenant_id(), role, named);
  INSERT INTO identity.role_permissions
    (tenant_id, role_id, permission, api_method, api_path, api_method_pattern, api_path_pattern)
  SELECT tenancy.tenant_id(), role, p.place, p.rule ->> 'apiMethod', p.rule ->> 'apiPath', p.rule ->> 'apiMethodPattern',
         p.rule ->> 'apiPathPattern'
    FROM jsonb_array_elements(permissions) WITH ORDINALITY AS p (rule, place);
  PERFORM identity.expect_tenant_within_caps(tenancy.tenant_id());
  RETURN QUERY SELECT role, named;
END
$function$;

CREATE OR REPLACE FUNCTION identity.create_user(tenant uuid, usr uuid, named text, issuer_url text, token_subject text, role_ids uuid[])
 RETURNS TABLE(tenant_id uuid, user_id uuid, username text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM identity.lock_roles();
  INSERT INTO identity.users (tenant_id, user_id, username) VALUES (tenancy.tenant_id(), usr, named);
  IF token_subject IS NOT NULL THEN
    INSERT INTO identity.subjects (tenant_id, issuer_id, subject, user_id)
    VALUES (tenancy.tenant_id(), identity.issuer_serving(issuer_url), token_subject, usr);
  END IF;
  INSERT INTO identity.user_roles (tenant_id, user_id, role_id)
  SELECT DISTINCT tenancy.tenant_id(), usr, r FROM unnest(role_ids) AS r;
  PERFORM identity.expect_user_within_caps(tenancy.tenant_id(), usr);
  RETURN QUERY SELECT tenancy.tenant_id(), usr, named;
END
$function$;

CREATE OR REPLACE FUNCTION identity.entered_operations()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  proof text := current_setting('plat.proof', true);
BEGIN
  IF proof <> '' THEN
    PERFORM identity.expect_proof(proof);
    RETURN substr(proof, 73, 1) = '1';
  END IF;
  RETURN (SELECT k.release_before FROM identity.proof_keys k);
END
$function$;

CREATE OR REPLACE FUNCTION identity.entered_tenant()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  proof  text := current_setting('plat.proof', true);
  secret identity.proof_keys;
BEGIN
  SELECT * INTO secret FROM identity.proof_keys;
  IF proof <> '' THEN
    IF length(proof) = 211 AND substr(proof, 148)
         = encode(sha256(secret.key || sha256(secret.key || convert_to(left(proof, 147), 'UTF8'))), 'hex') THEN
      IF substr(proof, 74, 10)::bigint >= extract(epoch FROM now()) THEN
        RETURN left(proof, 36)::uuid;
      END IF;
    END IF;
    PERFORM identity.expect_proof(proof);
  END IF;
  RETURN CASE WHEN secret.release_before THEN nullif(current_setting('plat.tenant_id', true), '')::uuid END;
END
$function$;

CREATE OR REPLACE FUNCTION identity.entered_user()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  proof text := current_setting('plat.proof', true);
BEGIN
  IF proof <> '' THEN
    PERFORM identity.expect_proof(proof);
    RETURN substr(proof, 37, 36)::uuid;
  END IF;
  RETURN (SELECT nullif(current_setting('plat.user_id', true), '')::uuid FROM identity.proof_keys k WHERE k.release_before);
END
$function$;

CREATE OR REPLACE FUNCTION identity.expect_proof(proof text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  holds boolean := false;
BEGIN
  IF length(proof) = 211
     AND substr(proof, 148) = (SELECT identity.seal(k.key, left(proof, 147)) FROM identity.proof_keys k) THEN
    holds := substr(proof, 74, 10)::bigint >= extract(epoch FROM now());
  END IF;
  IF NOT holds THEN
    RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege',
      MESSAGE = 'the tenant was entered without a proof of its caller';
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION identity.expect_tenant_within_caps(tenant uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  roles_max constant int := 200;
  rules_max constant int := 1000;
BEGIN
  IF (SELECT count(*) FROM identity.roles r WHERE r.tenant_id = tenant) > roles_max THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, format('A tenant has %s roles at most.', roles_max));
  END IF;
  IF (SELECT count(*) FROM identity.role_permissions p WHERE p.tenant_id = tenant) > rules_max THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, format('The roles of a tenant hold %s rules at most.', rules_max));
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION identity.expect_user_within_caps(tenant uuid, usr uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  roles_max constant int := 50;
  rules_max constant int := 200;
BEGIN
  IF (SELECT count(*) FROM identity.user_roles ur WHERE ur.tenant_id = tenant AND ur.user_id = usr) > roles_max THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, format('A user holds %s roles at most.', roles_max));
  END IF;
  IF (SELECT count(*) FROM identity.user_roles ur JOIN identity.role_permissions p USING (tenant_id, role_id)
       WHERE ur.tenant_id = tenant AND ur.user_id = usr) > rules_max THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, format('The roles of a user hold %s rules at most.', rules_max));
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION identity.grant_role(tenant uuid, usr uuid, role uuid)
 RETURNS TABLE(role_id uuid, name text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM identity.lock_roles();
  INSERT INTO identity.user_roles (tenant_id, user_id, role_id) VALUES (tenancy.tenant_id(), usr, role);
  PERFORM identity.expect_user_within_caps(tenancy.tenant_id(), usr);
  RETURN QUERY SELECT r.role_id, r.name FROM identity.roles r WHERE r.tenant_id = tenancy.tenant_id() AND r.role_id = role;
END
$function$;

CREATE OR REPLACE FUNCTION identity.issue_proof(tenant uuid, usr uuid, digest text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT content || identity.seal(k.key, content)
    FROM identity.proof_keys k, identity.tenants t,
         LATERAL (SELECT tenant::text || usr || CASE t.kind WHEN 'operations' THEN '1' ELSE '0' END
                         || (extract(epoch FROM now())::bigint + 3600) || digest) AS c (content)
   WHERE t.tenant_id = tenant
$function$;

CREATE OR REPLACE FUNCTION identity.issuer_serving(issuer_url text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  serving uuid[] := ARRAY(
    SELECT i.issuer_id FROM identity.issuers i
     WHERE (issuer_url IS NULL OR i.url = issuer_url)
       AND (i.tenant_id = tenancy.tenant_id() OR EXISTS (SELECT FROM identity.organizations o
                                             WHERE o.issuer_id = i.issuer_id AND o.tenant_id = tenancy.tenant_id())));
BEGIN
  IF cardinality(serving) <> 1 THEN
    PERFORM tenancy.refuse('INVALID_BODY', '{"field": "issuer"}',
      CASE WHEN issuer_url IS NULL THEN 'issuer must be named: not exactly one serves the tenant.'
           ELSE 'issuer must be one that serves the tenant.' END);
  END IF;
  RETURN serving[1];
END
$function$;

CREATE OR REPLACE FUNCTION identity.known_issuers()
 RETURNS TABLE(url text, audience text, organization_claim text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT i.url, i.audience, i.organization_claim FROM identity.issuers i $function$;

CREATE OR REPLACE FUNCTION identity.list_roles(tenant uuid)
 RETURNS TABLE(role_id uuid, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT r.role_id, r.name FROM identity.roles r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) ORDER BY r.name, r.role_id
$function$;

CREATE OR REPLACE FUNCTION identity.list_user_roles(tenant uuid, usr uuid)
 RETURNS TABLE(role_id uuid, name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM identity.users u
                  WHERE u.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) AND u.user_id = usr) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such user.');
  END IF;
  RETURN QUERY
    SELECT r.role_id, r.name FROM identity.user_roles ur JOIN identity.roles r USING (tenant_id, role_id)
     WHERE ur.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) AND ur.user_id = usr ORDER BY r.name, r.role_id;
END
$function$;

CREATE OR REPLACE FUNCTION identity.list_users(tenant uuid)
 RETURNS TABLE(tenant_id uuid, user_id uuid, username text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT u.tenant_id, u.user_id, u.username FROM identity.users u
   WHERE u.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) ORDER BY u.username, u.user_id
$function$;

CREATE OR REPLACE FUNCTION identity.lock_roles()
 RETURNS void
 LANGUAGE sql
AS $function$ SELECT FROM identity.tenants t WHERE t.tenant_id = tenancy.tenant_id() FOR NO KEY UPDATE $function$;

CREATE OR REPLACE FUNCTION identity.page_roles(tenant uuid, after_name text, after_id uuid, page integer)
 RETURNS TABLE(role_id uuid, name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.role_id, e.name FROM identity.roles e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.name, e.role_id) > ($2, $3)' ELSE '' END,
    'e.name, e.role_id', '$4')
    USING tenancy.tenant_id(), after_name, after_id, page;
END
$function$;

CREATE OR REPLACE FUNCTION identity.page_users(tenant uuid, after_name text, after_id uuid, page integer)
 RETURNS TABLE(tenant_id uuid, user_id uuid, username text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.tenant_id, e.user_id, e.username FROM identity.users e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.username, e.user_id) > ($2, $3)' ELSE '' END,
    'e.username, e.user_id', '$4')
    USING tenancy.tenant_id(), after_name, after_id, page;
END
$function$;

CREATE OR REPLACE FUNCTION identity.permits(rule identity.role_permissions, method text, template text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((((rule).api_method = method) AND ((rule).api_path = template)), ((method ~ (('^(?:'::text || (rule).api_method_pattern) || ')$'::text)) AND (template ~ (('^(?:'::text || (rule).api_path_pattern) || ')$'::text))));

CREATE OR REPLACE FUNCTION identity.readable_tenants(tenant uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT CASE WHEN tenancy.across() THEN ARRAY(SELECT t.tenant_id FROM identity.tenants t) ELSE ARRAY[tenant] END
$function$;

CREATE OR REPLACE FUNCTION identity.resolve(issuer_url text, token_subject text, organization text)
 RETURNS TABLE(tenant_id uuid, tenant_kind text, user_id uuid, username text, roles text[], permissions jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT t.tenant_id, t.kind, u.user_id, u.username,
         ARRAY(SELECT r.name FROM identity.user_roles ur JOIN identity.roles r USING (tenant_id, role_id)
                WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.user_id ORDER BY r.name),
         coalesce((SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                            'apiMethod', p.api_method, 'apiPath', p.api_path,
                            'apiMethodPattern', p.api_method_pattern, 'apiPathPattern', p.api_path_pattern)))
                     FROM identity.user_roles ur JOIN identity.role_permissions p USING (tenant_id, role_id)
                    WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.user_id), '[]')
    FROM identity.issuers i
    LEFT JOIN identity.organizations o ON o.issuer_id = i.issuer_id AND o.organization_id = organization
    JOIN identity.tenants t ON t.tenant_id = coalesce(i.tenant_id, o.tenant_id)
    LEFT JOIN identity.subjects s
           ON s.tenant_id = t.tenant_id AND s.issuer_id = i.issuer_id AND s.subject = token_subject
    LEFT JOIN identity.users u ON u.tenant_id = s.tenant_id AND u.user_id = s.user_id
   WHERE i.url = issuer_url
$function$;

CREATE OR REPLACE FUNCTION identity.resolve_caller(issuer_url text, token_subject text, organization text)
 RETURNS TABLE(tenant_id uuid, tenant_kind text, user_id uuid, username text, roles text[], permissions jsonb, proof text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT r.*, CASE WHEN r.user_id IS NOT NULL THEN
           identity.issue_proof(r.tenant_id, r.user_id, identity.caller_digest(issuer_url, token_subject, organization)) END
    FROM identity.resolve(issuer_url, token_subject, organization) r
$function$;

CREATE OR REPLACE FUNCTION identity.revoke_role(tenant uuid, usr uuid, role uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM identity.lock_roles();
  DELETE FROM identity.user_roles ur WHERE ur.tenant_id = tenancy.tenant_id() AND ur.user_id = usr AND ur.role_id = role;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF NOT EXISTS (
    SELECT FROM identity.user_roles ur JOIN identity.role_permissions p USING (tenant_id, role_id)
     WHERE ur.tenant_id = tenancy.tenant_id() AND identity.permits(p, 'POST', '/v1/users/{user_id}/roles')
       AND identity.can_sign_in(ur.user_id)) THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, 'Nobody who can sign in could grant roles any more.');
  END IF;
  RETURN true;
END
$function$;

CREATE OR REPLACE FUNCTION identity.schema_version()
 RETURNS TABLE(version text, works_from text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT s.version, s.works_from FROM identity.schema_state s $function$;

CREATE OR REPLACE FUNCTION identity.seal(key bytea, content text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN encode(sha256((key || sha256((key || convert_to(content, 'UTF8'::name))))), 'hex'::text);

CREATE OR REPLACE FUNCTION identity.tenant_name(tenant uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT t.name FROM identity.tenants t WHERE t.tenant_id = tenancy.tenant_id() AND t.tenant_id = tenant $function$;

CREATE OR REPLACE FUNCTION identity.tenant_named(tenant_name text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT t.tenant_id FROM identity.tenants t WHERE t.name = tenant_name $function$;

GRANT SELECT ON identity.role_permissions TO plat_inspector;
GRANT SELECT ON identity.roles TO plat_inspector;
GRANT SELECT ON identity.subjects TO plat_inspector;
GRANT REFERENCES ON identity.tenants TO plat_builds_owner;
GRANT REFERENCES ON identity.tenants TO plat_environments_owner;
GRANT SELECT ON identity.tenants TO plat_inspector;
GRANT REFERENCES ON identity.tenants TO plat_releases_owner;
GRANT REFERENCES ON identity.tenants TO plat_reviews_owner;
GRANT SELECT ON identity.user_roles TO plat_inspector;
GRANT REFERENCES ON identity.users TO plat_builds_owner;
GRANT REFERENCES ON identity.users TO plat_environments_owner;
GRANT SELECT ON identity.users TO plat_inspector;
GRANT REFERENCES ON identity.users TO plat_releases_owner;
GRANT REFERENCES ON identity.users TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION identity.caller_digest(text,text,text) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.caller_of(text,text,text,text) TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION identity.create_role(uuid,uuid,text,jsonb) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.create_user(uuid,uuid,text,text,text,uuid[]) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_releases_owner;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_releases_owner;
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION identity.entered_user() TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.entered_user() TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION identity.entered_user() TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.entered_user() TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION identity.entered_user() TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.entered_user() TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.entered_user() TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.entered_user() TO plat_releases_owner;
GRANT EXECUTE ON FUNCTION identity.entered_user() TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.entered_user() TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION identity.grant_role(uuid,uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.issue_proof(uuid,uuid,text) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.list_user_roles(uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.page_roles(uuid,text,uuid,integer) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.page_users(uuid,text,uuid,integer) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_releases_owner;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION identity.resolve_caller(text,text,text) TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.resolve_caller(text,text,text) TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.resolve_caller(text,text,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.resolve_caller(text,text,text) TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.resolve_caller(text,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.revoke_role(uuid,uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.schema_version() TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.schema_version() TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.schema_version() TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.schema_version() TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.schema_version() TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.tenant_name(uuid) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.tenant_named(text) TO plat_environments_owner;

--
-- audit
--

CREATE SCHEMA audit AUTHORIZATION plat_audit_owner;
GRANT USAGE ON SCHEMA audit TO plat_audit;
GRANT USAGE ON SCHEMA audit TO plat_builds;
GRANT USAGE ON SCHEMA audit TO plat_inspector;
GRANT USAGE ON SCHEMA audit TO plat_operations;
GRANT USAGE ON SCHEMA audit TO plat_platform;
GRANT USAGE ON SCHEMA audit TO plat_releases;
GRANT USAGE ON SCHEMA audit TO plat_reviews;

CREATE TABLE audit.audit_events (
  tenant_id uuid NOT NULL,
  audit_event_id uuid NOT NULL,
  request_id text NOT NULL,
  erun_user_id uuid NOT NULL,
  external_user_id text NOT NULL,
  external_issuer_id text NOT NULL,
  external_org_id text,
  type text NOT NULL,
  api_method text,
  api_path text,
  mcp_tool text,
  cli_command text,
  api_parameters jsonb,
  mcp_tool_parameters jsonb,
  cli_parameters jsonb,
  created_at timestamp with time zone NOT NULL,
  caller_request_id text,
  CONSTRAINT audit_events_pkey PRIMARY KEY (tenant_id, created_at, audit_event_id),
  CONSTRAINT audit_events_api CHECK (((type <> 'API'::text) OR (num_nulls(api_method, api_path) = 0))),
  CONSTRAINT audit_events_api_path_check CHECK ((api_path ~ '^/v1/[a-z0-9_/{}-]*$'::text)),
  CONSTRAINT audit_events_caller_request_id CHECK ((caller_request_id ~ '^[A-Za-z0-9._-]{1,64}$'::text)),
  CONSTRAINT audit_events_check1 CHECK (((type = 'MCP'::text) = (mcp_tool IS NOT NULL))),
  CONSTRAINT audit_events_check2 CHECK ((num_nonnulls(api_method, api_path) <> 1)),
  CONSTRAINT audit_events_mcp_tool_check CHECK ((mcp_tool ~ '^[a-z][a-z0-9_-]{0,63}$'::text)),
  CONSTRAINT audit_events_type_check CHECK ((type = ANY (ARRAY['API'::text, 'MCP'::text, 'CLI'::text])))
) PARTITION BY RANGE (created_at);

CREATE TABLE audit.audit_events_default PARTITION OF audit.audit_events DEFAULT;

CREATE INDEX audit_events_api ON ONLY audit.audit_events USING btree (tenant_id, api_method, api_path, created_at, audit_event_id);
CREATE INDEX audit_events_rare_type ON ONLY audit.audit_events USING btree (tenant_id, type, created_at, audit_event_id) WHERE (type <> 'API'::text);
CREATE INDEX audit_events_user ON ONLY audit.audit_events USING btree (tenant_id, erun_user_id, created_at, audit_event_id);

ALTER TABLE audit.audit_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON audit.audit_events FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON audit.audit_events FOR SELECT TO plat_audit_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY recorder ON audit.audit_events FOR INSERT TO plat_audit_owner WITH CHECK (true);
CREATE POLICY tenant ON audit.audit_events USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE audit.audit_events_default ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION audit.list_events(tenant uuid, earliest timestamp with time zone, latest timestamp with time zone, usr uuid, kind text, method text, path text, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS TABLE(tenant_id uuid, audit_event_id uuid, erun_user_id uuid, external_user_id text, external_issuer_id text, external_org_id text, type text, api_method text, api_path text, mcp_tool text, cli_command text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.tenant_id, e.audit_event_id, e.erun_user_id, e.external_user_id, e.external_issuer_id,
            e.external_org_id, e.type, e.api_method, e.api_path, e.mcp_tool, e.cli_command, e.created_at
       FROM audit.audit_events e',
    CASE WHEN earliest IS NOT NULL THEN ' AND e.created_at >= $2' ELSE '' END
    || CASE WHEN latest IS NOT NULL THEN ' AND e.created_at <= $3' ELSE '' END
    || CASE WHEN usr IS NOT NULL THEN ' AND e.erun_user_id = $4' ELSE '' END
    || CASE WHEN kind IS NOT NULL THEN ' AND e.type = $5' ELSE '' END
    || CASE WHEN method IS NOT NULL THEN ' AND e.api_method = $6' ELSE '' END
    || CASE WHEN path IS NOT NULL THEN ' AND e.api_path = $7' ELSE '' END
    || CASE WHEN after_id IS NOT NULL
            THEN ' AND e.created_at <= $8 AND (e.created_at, e.audit_event_id) < ($8, $9)' ELSE '' END,
    'e.created_at DESC, e.audit_event_id DESC', '$10')
    USING tenant, earliest, latest, usr, kind, method, path, after_time, after_id, page;
END
$function$;

CREATE OR REPLACE FUNCTION audit.make_partitions()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '500ms'
AS $function$
BEGIN
  CALL tenancy.make_partitions('audit.audit_events', (now() AT TIME ZONE 'UTC')::date, 12);
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END
$function$;

CREATE OR REPLACE FUNCTION audit.record(rows jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
    external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, api_parameters, created_at)
  SELECT r."tenantId", r."auditEventId", r."requestId", r."erunUserId", r."externalUserId", r."externalIssuerId",
         r."externalOrgId", r.type, r."apiMethod", r."apiPath", r."mcpTool", r."apiParameters", clock_timestamp()
    FROM jsonb_to_recordset(rows) AS r("tenantId" uuid, "auditEventId" uuid, "requestId" text, "erunUserId" uuid,
         "externalUserId" text, "externalIssuerId" text, "externalOrgId" text, type text, "apiMethod" text,
         "apiPath" text, "mcpTool" text, "apiParameters" jsonb)
$function$;

CREATE OR REPLACE FUNCTION audit.record_requests(rows jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, caller_request_id, erun_user_id,
    external_user_id, external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, api_parameters, created_at)
  SELECT c.tenant_id, r."auditEventId", r."requestId", r."callerRequestId", c.user_id, r."externalUserId",
         r."externalIssuerId", r."externalOrgId", r.type, r."apiMethod", r."apiPath", r."mcpTool", r."apiParameters",
         clock_timestamp()
    FROM jsonb_to_recordset(rows) AS r(proof text, "auditEventId" uuid, "requestId" text, "callerRequestId" text,
         "externalUserId" text, "externalIssuerId" text, "externalOrgId" text, type text, "apiMethod" text,
         "apiPath" text, "mcpTool" text, "apiParameters" jsonb)
   CROSS JOIN LATERAL identity.caller_of(r.proof, r."externalIssuerId", r."externalUserId", r."externalOrgId") c
$function$;

GRANT SELECT (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, cli_command, created_at, caller_request_id) ON audit.audit_events TO plat_inspector;
GRANT EXECUTE ON FUNCTION audit.list_events(uuid,timestamp with time zone,timestamp with time zone,uuid,text,text,text,timestamp with time zone,uuid,integer) TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.make_partitions() TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_builds;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_platform;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_releases;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_reviews;

--
-- environments
--

CREATE SCHEMA environments AUTHORIZATION plat_environments_owner;
GRANT USAGE ON SCHEMA environments TO plat_builds;
GRANT USAGE ON SCHEMA environments TO plat_builds_owner;
GRANT USAGE ON SCHEMA environments TO plat_inspector;
GRANT USAGE ON SCHEMA environments TO plat_operations;
GRANT USAGE ON SCHEMA environments TO plat_platform;

CREATE TABLE environments.environments (
  tenant_id uuid NOT NULL,
  environment_id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  status text NOT NULL DEFAULT 'registered'::text,
  kubernetes_context text,
  exposed_hostname text,
  delete_error text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT environments_pkey PRIMARY KEY (tenant_id, environment_id),
  CONSTRAINT environments_tenant_id_name_key UNIQUE (tenant_id, name),
  CONSTRAINT environments_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id),
  CONSTRAINT environments_name_check CHECK ((name ~ '^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$'::text)),
  CONSTRAINT environments_status_check CHECK ((status = ANY (ARRAY['registered'::text, 'deleting'::text, 'deletion-blocked'::text]))),
  CONSTRAINT environments_type_check CHECK ((type = ANY (ARRAY['local-agent'::text, 'remote-agent'::text, 'runtime'::text])))
);

CREATE TABLE environments.deletions (
  tenant_id uuid NOT NULL,
  environment_id uuid NOT NULL,
  requested_by uuid NOT NULL,
  namespace text NOT NULL,
  kubernetes_context text,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  lease_id uuid,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT deletions_pkey PRIMARY KEY (tenant_id, environment_id),
  CONSTRAINT deletions_tenant_id_environment_id_fkey FOREIGN KEY (tenant_id, environment_id) REFERENCES environments.environments(tenant_id, environment_id) ON DELETE CASCADE
);

CREATE INDEX deletions_due ON environments.deletions USING btree (due_at);

ALTER TABLE environments.environments ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON environments.environments FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON environments.environments FOR SELECT TO plat_environments_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON environments.environments USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE environments.deletions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON environments.deletions FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON environments.deletions FOR SELECT TO plat_environments_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON environments.deletions USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));
CREATE POLICY worker ON environments.deletions TO plat_environments_owner USING ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL)) WITH CHECK ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL));

CREATE OR REPLACE FUNCTION environments.block_deletion(tenant uuid, environment uuid, lease uuid, reason text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM environments.environments e
   WHERE e.tenant_id = tenant AND e.environment_id = environment FOR UPDATE;
  DELETE FROM environments.deletions d
   WHERE d.tenant_id = tenant AND d.environment_id = environment AND d.lease_id = lease;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE environments.environments e
     SET status = 'deletion-blocked', delete_error = reason, updated_at = clock_timestamp()
   WHERE e.tenant_id = tenant AND e.environment_id = environment;
  RETURN true;
END
$function$;

CREATE OR REPLACE FUNCTION environments.claim_deletion(lease uuid, lease_seconds integer)
 RETURNS SETOF environments.deletions
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE environments.deletions d
     SET lease_id = lease, attempts = d.attempts + 1,
         due_at = clock_timestamp() + make_interval(secs => lease_seconds)
   WHERE (d.tenant_id, d.environment_id) = (
     SELECT c.tenant_id, c.environment_id FROM environments.deletions c
      WHERE c.due_at <= clock_timestamp() ORDER BY c.due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING d.*
$function$;

CREATE OR REPLACE FUNCTION environments.claim_deletion_job(lease uuid, lease_seconds integer)
 RETURNS TABLE(tenant_id uuid, environment_id uuid, requested_by uuid, namespace text, kubernetes_context text, attempts integer, lease_id uuid, proof text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT d.tenant_id, d.environment_id, d.requested_by, d.namespace, d.kubernetes_context, d.attempts, d.lease_id,
         identity.issue_proof(d.tenant_id, d.requested_by, identity.caller_digest(NULL, NULL, NULL))
    FROM environments.claim_deletion(lease, lease_seconds) d
$function$;

CREATE OR REPLACE FUNCTION environments.create_environment(tenant uuid, environment uuid, named text, kind text, context text)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF length(environments.namespace_of(tenant, named)) > 63 THEN
    PERFORM tenancy.refuse('INVALID_BODY', '{"field": "name"}',
      'name is too long: <tenant>-<name> must be a DNS label, of at most 63 characters.');
  END IF;
  RETURN QUERY INSERT INTO environments.environments (tenant_id, environment_id, name, type, kubernetes_context)
  VALUES (tenant, environment, named, kind, context) RETURNING *;
END
$function$;

CREATE OR REPLACE FUNCTION environments.environment_name(tenant uuid, environment uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT e.name FROM environments.environments e WHERE e.tenant_id = tenant AND e.environment_id = environment $function$;

CREATE OR REPLACE FUNCTION environments.finish_deletion(tenant uuid, environment uuid, lease uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM environments.environments e
   WHERE e.tenant_id = tenant AND e.environment_id = environment AND EXISTS (
     SELECT FROM environments.deletions d
      WHERE d.tenant_id = tenant AND d.environment_id = environment AND d.lease_id = lease);
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION environments.get_environment(tenant uuid, environment uuid)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM environments.environments e
   WHERE e.tenant_id = ANY (identity.readable_tenants(tenant)) AND e.environment_id = environment;
END
$function$;

CREATE OR REPLACE FUNCTION environments.list_environments(tenant uuid)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM environments.environments e
   WHERE e.tenant_id = ANY (identity.readable_tenants(tenant)) ORDER BY e.name, e.environment_id;
END
$function$;

CREATE OR REPLACE FUNCTION environments.namespace_of(tenant uuid, named text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN ((identity.tenant_name(tenant) || '-'::text) || named);

CREATE OR REPLACE FUNCTION environments.page_environments(tenant uuid, after_name text, after_id uuid, page integer)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM environments.environments e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.name, e.environment_id) > ($2, $3)' ELSE '' END,
    'e.name, e.environment_id', '$4')
    USING tenant, after_name, after_id, page;
END
$function$;

CREATE OR REPLACE FUNCTION environments.postpone_deletion(tenant uuid, environment uuid, lease uuid, pause_seconds integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  UPDATE environments.deletions d
     SET lease_id = NULL, due_at = clock_timestamp() + make_interval(secs => pause_seconds)
   WHERE d.tenant_id = tenant AND d.environment_id = environment AND d.lease_id = lease;
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION environments.request_deletion(tenant uuid, environment uuid, usr uuid)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  entry environments.environments;
BEGIN
  SELECT * INTO entry FROM environments.environments e
   WHERE e.tenant_id = tenant AND e.environment_id = environment FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF entry.status <> 'deleting' THEN
    UPDATE environments.environments e SET status = 'deleting', delete_error = NULL, updated_at = clock_timestamp()
     WHERE e.tenant_id = tenant AND e.environment_id = environment RETURNING * INTO STRICT entry;
    INSERT INTO environments.deletions (tenant_id, environment_id, requested_by, namespace, kubernetes_context)
    VALUES (tenant, environment, tenancy.user_id(), environments.namespace_of(tenant, entry.name),
            entry.kubernetes_context);
  END IF;
  RETURN NEXT entry;
END
$function$;

CREATE OR REPLACE FUNCTION environments.set_exposed_hostname(tenant uuid, environment uuid, hostname text)
 RETURNS SETOF environments.environments
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE environments.environments e SET exposed_hostname = hostname, updated_at = clock_timestamp()
   WHERE e.tenant_id = tenant AND e.environment_id = environment RETURNING e.*
$function$;

GRANT SELECT ON environments.deletions TO plat_inspector;
GRANT SELECT ON environments.environments TO plat_inspector;
GRANT EXECUTE ON FUNCTION environments.block_deletion(uuid,uuid,uuid,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.claim_deletion_job(uuid,integer) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.create_environment(uuid,uuid,text,text,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.environment_name(uuid,uuid) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION environments.finish_deletion(uuid,uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.get_environment(uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.namespace_of(uuid,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.page_environments(uuid,text,uuid,integer) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.postpone_deletion(uuid,uuid,uuid,integer) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.request_deletion(uuid,uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.set_exposed_hostname(uuid,uuid,text) TO plat_platform;

--
-- reviews
--

CREATE SCHEMA reviews AUTHORIZATION plat_reviews_owner;
GRANT USAGE ON SCHEMA reviews TO plat_builds;
GRANT USAGE ON SCHEMA reviews TO plat_builds_owner;
GRANT USAGE ON SCHEMA reviews TO plat_inspector;
GRANT USAGE ON SCHEMA reviews TO plat_operations;
GRANT USAGE ON SCHEMA reviews TO plat_releases;
GRANT USAGE ON SCHEMA reviews TO plat_releases_owner;
GRANT USAGE ON SCHEMA reviews TO plat_reviews;

CREATE TABLE reviews.queues (
  tenant_id uuid NOT NULL,
  target_branch text NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  last_ticket bigint NOT NULL DEFAULT 0,
  last_merge bigint NOT NULL DEFAULT 0,
  CONSTRAINT queues_pkey PRIMARY KEY (tenant_id, target_branch)
);

CREATE TABLE reviews.reviews (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  author_user_id uuid NOT NULL,
  name text NOT NULL,
  repository text,
  target_branch text NOT NULL,
  source_branch text NOT NULL,
  status text NOT NULL DEFAULT 'OPEN'::text,
  last_failed_build_id uuid,
  last_ready_build_id uuid,
  last_merged_build_id uuid,
  ticket bigint,
  merge_sequence bigint,
  merged_commit_id text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT reviews_pkey PRIMARY KEY (tenant_id, review_id),
  CONSTRAINT reviews_tenant_id_author_user_id_fkey FOREIGN KEY (tenant_id, author_user_id) REFERENCES identity.users(tenant_id, user_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds(tenant_id, review_id, build_id),
  CONSTRAINT reviews_check CHECK (((status = 'READY'::text) = (ticket IS NOT NULL))),
  CONSTRAINT reviews_check1 CHECK (((status <> ALL (ARRAY['READY'::text, 'MERGE'::text])) OR (last_ready_build_id IS NOT NULL))),
  CONSTRAINT reviews_check2 CHECK (((status <> 'FAILED'::text) OR (last_failed_build_id IS NOT NULL))),
  CONSTRAINT reviews_check3 CHECK ((num_nulls(last_merged_build_id, merge_sequence, merged_commit_id) = ANY (ARRAY[0, 3]))),
  CONSTRAINT reviews_check4 CHECK (((last_merged_build_id IS NULL) OR (status = 'MERGED'::text))),
  CONSTRAINT reviews_merged_commit_id_check CHECK ((merged_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT reviews_name_check CHECK (((name <> ''::text) AND (length(name) <= 512))),
  CONSTRAINT reviews_repository_check CHECK ((repository <> ''::text)),
  CONSTRAINT reviews_source_branch_check CHECK (((source_branch <> ''::text) AND (length(source_branch) <= 255))),
  CONSTRAINT reviews_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'CLOSED'::text, 'FAILED'::text, 'READY'::text, 'MERGE'::text, 'MERGED'::text]))),
  CONSTRAINT reviews_target_branch_check CHECK (((target_branch <> ''::text) AND (length(target_branch) <= 255)))
);

CREATE TABLE reviews.queue_moves (
  tenant_id uuid NOT NULL,
  target_branch text NOT NULL,
  version bigint NOT NULL,
  review_id uuid NOT NULL,
  repository text,
  move text NOT NULL,
  ticket bigint,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT queue_moves_pkey PRIMARY KEY (tenant_id, target_branch, version),
  CONSTRAINT queue_moves_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT queue_moves_move_check CHECK ((move = ANY (ARRAY['ready'::text, 'promote'::text, 'requeue'::text, 'fail'::text, 'close'::text, 'merge'::text, 'reconcile'::text])))
);

CREATE TABLE reviews.reviewers (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT reviewers_pkey PRIMARY KEY (tenant_id, review_id, user_id),
  CONSTRAINT reviewers_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT reviewers_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users(tenant_id, user_id)
);

CREATE TABLE reviews.comments (
  tenant_id uuid NOT NULL,
  comment_id uuid NOT NULL,
  review_id uuid NOT NULL,
  creator_user_id uuid NOT NULL,
  parent_comment_id uuid,
  status text,
  commit_id text NOT NULL,
  file_path text NOT NULL,
  line integer NOT NULL,
  body text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT comments_pkey PRIMARY KEY (tenant_id, comment_id),
  CONSTRAINT comments_tenant_id_review_id_comment_id_key UNIQUE (tenant_id, review_id, comment_id),
  CONSTRAINT comments_tenant_id_creator_user_id_fkey FOREIGN KEY (tenant_id, creator_user_id) REFERENCES identity.users(tenant_id, user_id),
  CONSTRAINT comments_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT comments_tenant_id_review_id_parent_comment_id_fkey FOREIGN KEY (tenant_id, review_id, parent_comment_id) REFERENCES reviews.comments(tenant_id, review_id, comment_id),
  CONSTRAINT comments_body_check CHECK ((body <> ''::text)),
  CONSTRAINT comments_check CHECK (((parent_comment_id IS NULL) = (status IS NOT NULL))),
  CONSTRAINT comments_commit_id_check CHECK ((commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT comments_line_check CHECK ((line >= 1)),
  CONSTRAINT comments_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'CLOSED'::text])))
);

CREATE TABLE reviews.verifications (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  route text NOT NULL,
  remote_url text NOT NULL,
  repository text NOT NULL,
  target_branch text NOT NULL,
  target_tip text NOT NULL,
  commit_id text,
  anchor_commit_id text,
  source_tip text,
  build_id uuid,
  release_error text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  parent_commit_id text,
  tree_id text,
  conditions text[] NOT NULL DEFAULT '{}'::text[],
  content_verdict text NOT NULL DEFAULT 'UNKNOWN'::text,
  content_reason text DEFAULT 'not_computed'::text,
  statement_version smallint,
  landed_commit_id text,
  built_on_commit_id text,
  content_findings jsonb NOT NULL DEFAULT '[]'::jsonb,
  content_findings_left_out integer NOT NULL DEFAULT 0,
  CONSTRAINT verifications_pkey PRIMARY KEY (tenant_id, review_id),
  CONSTRAINT verifications_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT verifications_anchor_commit_id_check CHECK ((anchor_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_built_on_commit_id_check CHECK ((built_on_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_check CHECK (((route = 'queue'::text) = ((commit_id IS NOT NULL) AND (build_id IS NOT NULL)))),
  CONSTRAINT verifications_commit_id_check CHECK ((commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_conditions_check CHECK ((conditions <@ ARRAY['A1'::text, 'A2'::text, 'A3'::text, 'B1'::text, 'B2'::text])),
  CONSTRAINT verifications_content_commit CHECK (((content_verdict = 'UNKNOWN'::text) OR (num_nulls(commit_id, tree_id, source_tip) = 0))),
  CONSTRAINT verifications_content_findings_check CHECK (((jsonb_typeof(content_findings) = 'array'::text) AND (jsonb_array_length(content_findings) <= 20))),
  CONSTRAINT verifications_content_findings_left_out_check CHECK ((content_findings_left_out >= 0)),
  CONSTRAINT verifications_content_reason CHECK (((content_verdict = 'EXACT'::text) = (content_reason IS NULL))),
  CONSTRAINT verifications_content_reason_check CHECK ((content_reason ~ '^[a-z_]{1,40}$'::text)),
  CONSTRAINT verifications_content_verdict_check CHECK ((content_verdict = ANY (ARRAY['EXACT'::text, 'SAME_CHANGE'::text, 'DIVERGENT'::text, 'UNKNOWN'::text]))),
  CONSTRAINT verifications_landed_commit_id_check CHECK ((landed_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_parent_commit_id_check CHECK ((parent_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_route_check CHECK ((route = ANY (ARRAY['queue'::text, 'reconciled'::text]))),
  CONSTRAINT verifications_source CHECK (((route = 'queue'::text) OR (source_tip IS NOT NULL))),
  CONSTRAINT verifications_source_tip_check CHECK ((source_tip ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_statement_version_check CHECK ((statement_version = 2)),
  CONSTRAINT verifications_target_tip_check CHECK ((target_tip ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_tree_id_check CHECK ((tree_id ~ '^[0-9a-f]{40}$'::text))
);

CREATE TABLE reviews.gate_runs (
  tenant_id uuid NOT NULL,
  gate_run_id uuid NOT NULL,
  source_branch text NOT NULL,
  target_branch text NOT NULL,
  source_commit text NOT NULL,
  merge_commit text,
  review_id uuid,
  review_name text,
  verdict text NOT NULL,
  failing_step text,
  log_ref text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  creator_user_id uuid,
  holder text,
  CONSTRAINT gate_runs_pkey PRIMARY KEY (tenant_id, gate_run_id),
  CONSTRAINT gate_runs_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT gate_runs_check CHECK (((review_id IS NULL) = (review_name IS NULL))),
  CONSTRAINT gate_runs_check1 CHECK (((merge_commit IS NOT NULL) OR (verdict = ANY (ARRAY['FAILED'::text, 'INCONCLUSIVE'::text])))),
  CONSTRAINT gate_runs_check2 CHECK (((failing_step IS NOT NULL) OR (verdict <> 'FAILED'::text))),
  CONSTRAINT gate_runs_check3 CHECK (((failing_step IS NULL) OR (verdict = ANY (ARRAY['FAILED'::text, 'INCONCLUSIVE'::text])))),
  CONSTRAINT gate_runs_failing_step_check CHECK ((failing_step <> ''::text)),
  CONSTRAINT gate_runs_holder_check CHECK (((holder <> ''::text) AND (length(holder) <= 512))),
  CONSTRAINT gate_runs_log_ref_check CHECK ((log_ref <> ''::text)),
  CONSTRAINT gate_runs_merge_commit_check CHECK ((merge_commit ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT gate_runs_source_branch_check CHECK (((source_branch <> ''::text) AND (length(source_branch) <= 255))),
  CONSTRAINT gate_runs_source_commit_check CHECK ((source_commit ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT gate_runs_target_branch_check CHECK (((target_branch <> ''::text) AND (length(target_branch) <= 255))),
  CONSTRAINT gate_runs_verdict_check CHECK ((verdict = ANY (ARRAY['RUNNING'::text, 'PASSED'::text, 'FAILED'::text, 'INCONCLUSIVE'::text])))
);

CREATE TABLE reviews.later_contents (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  parent_commit_id text,
  tree_id text,
  commit_id text,
  source_tip text,
  landed_commit_id text,
  built_on_commit_id text,
  content_verdict text NOT NULL,
  content_reason text,
  content_findings jsonb NOT NULL,
  content_findings_left_out integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT later_contents_pkey PRIMARY KEY (tenant_id, review_id),
  CONSTRAINT later_contents_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.verifications(tenant_id, review_id),
  CONSTRAINT later_contents_built_on_commit_id_check CHECK ((built_on_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT later_contents_check CHECK (((content_verdict = 'EXACT'::text) = (content_reason IS NULL))),
  CONSTRAINT later_contents_check1 CHECK (((content_verdict = 'UNKNOWN'::text) OR (num_nulls(commit_id, tree_id, source_tip) = 0))),
  CONSTRAINT later_contents_commit_id_check CHECK ((commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT later_contents_content_findings_check CHECK (((jsonb_typeof(content_findings) = 'array'::text) AND (jsonb_array_length(content_findings) <= 20))),
  CONSTRAINT later_contents_content_findings_left_out_check CHECK ((content_findings_left_out >= 0)),
  CONSTRAINT later_contents_content_reason_check CHECK ((content_reason ~ '^[a-z_]{1,40}$'::text)),
  CONSTRAINT later_contents_content_reason_check1 CHECK ((content_reason IS DISTINCT FROM 'not_computed'::text)),
  CONSTRAINT later_contents_content_verdict_check CHECK ((content_verdict = ANY (ARRAY['EXACT'::text, 'SAME_CHANGE'::text, 'DIVERGENT'::text, 'UNKNOWN'::text]))),
  CONSTRAINT later_contents_landed_commit_id_check CHECK ((landed_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT later_contents_parent_commit_id_check CHECK ((parent_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT later_contents_source_tip_check CHECK ((source_tip ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT later_contents_tree_id_check CHECK ((tree_id ~ '^[0-9a-f]{40}$'::text))
);

CREATE UNIQUE INDEX reviews_line ON reviews.reviews USING btree (tenant_id, target_branch, repository, ticket) NULLS NOT DISTINCT WHERE (status = 'READY'::text);
CREATE INDEX reviews_live ON reviews.reviews USING btree (tenant_id, status, created_at, review_id) WHERE (status <> ALL (ARRAY['MERGED'::text, 'CLOSED'::text]));
CREATE UNIQUE INDEX reviews_live_name ON reviews.reviews USING btree (tenant_id, repository, name) NULLS NOT DISTINCT WHERE (status <> 'CLOSED'::text);
CREATE UNIQUE INDEX reviews_live_pair ON reviews.reviews USING btree (tenant_id, repository, source_branch, target_branch) NULLS NOT DISTINCT WHERE (status <> ALL (ARRAY['MERGED'::text, 'CLOSED'::text]));
CREATE UNIQUE INDEX reviews_merge_order ON reviews.reviews USING btree (tenant_id, target_branch, repository, merge_sequence) WHERE (merge_sequence IS NOT NULL);
CREATE INDEX reviews_newest ON reviews.reviews USING btree (tenant_id, created_at DESC, review_id DESC);
CREATE UNIQUE INDEX reviews_one_merge ON reviews.reviews USING btree (tenant_id, repository, target_branch) NULLS NOT DISTINCT WHERE (status = 'MERGE'::text);
CREATE INDEX reviews_waiting ON reviews.reviews USING btree (tenant_id, target_branch, ticket) WHERE (status = 'READY'::text);
CREATE INDEX reviewers_user ON reviews.reviewers USING btree (tenant_id, user_id, review_id);
CREATE UNIQUE INDEX comments_one_root ON reviews.comments USING btree (tenant_id, review_id, commit_id, file_path, line) WHERE (parent_comment_id IS NULL);
CREATE INDEX comments_open ON reviews.comments USING btree (tenant_id, review_id) WHERE (status = 'OPEN'::text);
CREATE UNIQUE INDEX gate_runs_held ON reviews.gate_runs USING btree (tenant_id, review_id) WHERE ((verdict = 'RUNNING'::text) AND (holder IS NOT NULL) AND (review_id IS NOT NULL));
CREATE INDEX gate_runs_newest ON reviews.gate_runs USING btree (tenant_id, created_at, gate_run_id);
CREATE INDEX gate_runs_review ON reviews.gate_runs USING btree (tenant_id, review_id, created_at, gate_run_id) WHERE (review_id IS NOT NULL);
CREATE INDEX gate_runs_source ON reviews.gate_runs USING btree (tenant_id, source_branch, created_at, gate_run_id);
CREATE INDEX gate_runs_target ON reviews.gate_runs USING btree (tenant_id, target_branch, created_at, gate_run_id);
CREATE INDEX gate_runs_verdict ON reviews.gate_runs USING btree (tenant_id, verdict, created_at, gate_run_id);

ALTER TABLE reviews.queues ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.queues FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.queues FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.queues USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.reviews ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.reviews FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.reviews FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.reviews USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.queue_moves ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.queue_moves FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.queue_moves FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.queue_moves USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.reviewers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.reviewers FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.reviewers FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.reviewers USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.comments ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.comments FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.comments FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.comments USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.verifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.verifications FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.verifications FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.verifications USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.gate_runs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.gate_runs FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.gate_runs FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.gate_runs USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.later_contents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.later_contents FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.later_contents FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.later_contents USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

CREATE OR REPLACE FUNCTION reviews.accept_history_merge(tenant uuid, review uuid, expected_status text, expected_repo text, repo text, proof jsonb)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  subject reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  merged  reviews.reviews;
BEGIN
  IF subject.status IS DISTINCT FROM expected_status OR subject.repository IS DISTINCT FROM expected_repo THEN
    RETURN;
  END IF;
  PERFORM reviews.log_move(subject, 'reconcile');
  PERFORM reviews.record_verification(subject, NULL, repo, proof, NULL);
  UPDATE reviews.reviews r SET status = 'MERGED', repository = repo, ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = tenant AND r.review_id = review
  RETURNING r.* INTO STRICT merged;
  RETURN NEXT merged;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.accept_queue_merge(tenant uuid, review uuid, build uuid, release uuid, expected_repo text, repo text, proof jsonb)
 RETURNS TABLE(merged reviews.reviews, release_error text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  subject  reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  sequence bigint;
BEGIN
  IF subject.status IS DISTINCT FROM 'MERGE' OR subject.repository IS DISTINCT FROM expected_repo
     OR reviews.anchor(tenant, subject.target_branch, repo) IS DISTINCT FROM proof ->> 'anchorCommitId' THEN
    RETURN;
  END IF;
  sequence := reviews.log_move(subject, 'merge');
  -- The block is the savepoint. Decision B13.
  BEGIN
    PERFORM releases.enqueue(tenant, release, review, subject.target_branch, proof ->> 'commitId');
  EXCEPTION WHEN OTHERS THEN
    release_error := SQLERRM;
  END;
  PERFORM reviews.record_verification(subject, build, repo, proof, release_error);
  UPDATE reviews.reviews r
     SET status = 'MERGED', repository = repo, last_merged_build_id = build, merge_sequence = sequence,
         merged_commit_id = proof ->> 'commitId', updated_at = clock_timestamp()
   WHERE r.tenant_id = tenant AND r.review_id = review
  RETURNING r.* INTO STRICT merged;
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.add_reviewer(tenant uuid, review uuid, usr uuid)
 RETURNS SETOF reviews.reviewers
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.reviewers (tenant_id, review_id, user_id) VALUES (tenant, review, usr) RETURNING *;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.advance(tenant uuid, target text, repo text, override boolean)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  state   reviews.head_state;
  threads bigint;
BEGIN
  PERFORM reviews.lock_queue(tenant, target);
  state := reviews.look_at_head(tenant, target, repo);
  IF (state.occupant).review_id IS NOT NULL THEN
    PERFORM tenancy.refuse('MERGE_QUEUE_OCCUPIED', jsonb_build_object(
      'targetBranch', target, 'reviewId', (state.occupant).review_id, 'name', (state.occupant).name,
      'sourceBranch', (state.occupant).source_branch));
  END IF;
  IF (state.head).review_id IS NULL THEN
    PERFORM tenancy.refuse('EMPTY_QUEUE');
  END IF;
  IF NOT override THEN
    -- Its columns are settled by the queue's lock; this only waits for threads that are being opened.
    PERFORM FROM reviews.reviews r
      WHERE r.tenant_id = tenant AND r.review_id = (state.head).review_id FOR NO KEY UPDATE;
    threads := reviews.open_threads(state.head);
    IF threads > 0 THEN
      PERFORM tenancy.refuse('unresolved_threads', jsonb_build_object(
        'reviewId', (state.head).review_id, 'unresolvedThreads', threads));
    END IF;
  END IF;
  RETURN NEXT reviews.promote(state.head);
END
$function$;

CREATE OR REPLACE FUNCTION reviews.anchor(tenant uuid, target text, repo text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT r.merged_commit_id FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository = repo AND r.merge_sequence IS NOT NULL
   ORDER BY r.merge_sequence DESC LIMIT 1
$function$;

CREATE OR REPLACE FUNCTION reviews.apply_build(tenant uuid, review uuid, build uuid, build_kind text, build_successful boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  subject reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  stored  record;
BEGIN
  SELECT f.kind, f.successful INTO stored FROM builds.build_facts(tenant, build) f WHERE f.review_id = review;
  IF stored.successful AND stored.kind = 'RECORDED' AND subject.status IN ('OPEN', 'FAILED') THEN
    subject := reviews.make_ready(subject, build);
    IF reviews.may_continue(subject) THEN
      PERFORM reviews.promote(subject);
    END IF;
  ELSIF NOT stored.successful AND subject.status NOT IN ('MERGED', 'CLOSED') THEN
    PERFORM reviews.fail(subject, build);
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.begin_build_report(tenant uuid, review uuid)
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT r.name FROM reviews.lock_review(tenant, review) r $function$;

CREATE OR REPLACE FUNCTION reviews.begin_move(tenant uuid, review uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT * FROM reviews.lock_review(tenant, review) $function$;

CREATE OR REPLACE FUNCTION reviews.close(subject reviews.reviews)
 RETURNS reviews.reviews
 LANGUAGE plpgsql
AS $function$
DECLARE
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'close');
  UPDATE reviews.reviews r SET status = 'CLOSED', ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.close_review(tenant uuid, review uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.close(r) m $function$;

CREATE OR REPLACE FUNCTION reviews.create_comment(tenant uuid, comment uuid, review uuid, parent uuid, commit text, path text, place integer, content text)
 RETURNS SETOF reviews.comments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, parent_comment_id, status,
                                  commit_id, file_path, line, body)
    VALUES (tenant, comment, review, tenancy.user_id(), parent, CASE WHEN parent IS NULL THEN 'OPEN' END, commit, path,
            place, content) RETURNING *;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.create_gate_run(tenant uuid, run uuid, source text, target text, tip text, merge text, review uuid, decided text, step text, log text, held_by text DEFAULT NULL::text)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  named   text;
  running reviews.gate_runs;
BEGIN
  IF review IS NOT NULL THEN
    SELECT r.name INTO named FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review;
    IF NOT FOUND THEN
      PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
    END IF;
  END IF;
  LOOP
    RETURN QUERY
    INSERT INTO reviews.gate_runs (tenant_id, gate_run_id, source_branch, target_branch, source_commit, merge_commit,
                                   review_id, review_name, verdict, failing_step, log_ref, holder, creator_user_id)
    VALUES (tenant, run, source, target, tip, merge, review, named, decided, step, log, held_by, tenancy.user_id())
    -- Waits for a run that is being started or decided at the same moment. The index is not named: while it is made,
    -- the release before starts runs that no other can hold.
    ON CONFLICT DO NOTHING
    RETURNING *;
    EXIT WHEN FOUND;
    SELECT * INTO running FROM reviews.gate_runs g
     WHERE g.tenant_id = tenant AND g.review_id = review AND g.verdict = 'RUNNING' AND g.holder IS NOT NULL;
    -- Not found: it was decided since, and the insert is free to be made.
    IF FOUND THEN
      PERFORM tenancy.refuse('GATE_RUN_HELD', jsonb_strip_nulls(jsonb_build_object('gateRunId', running.gate_run_id,
        'holder', running.holder, 'creatorUserId', running.creator_user_id, 'mergeCommit', running.merge_commit,
        -- As an answer's times are: without the zeros at the end.
        'since', (to_json(running.created_at AT TIME ZONE 'UTC') #>> '{}') || 'Z')));
    END IF;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.create_review(tenant uuid, review uuid, author uuid, review_name text, repo text, source text, target text)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, source_branch, target_branch)
    VALUES (tenant, review, tenancy.user_id(), review_name, repo, source, target) RETURNING *;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.decide_gate_run(tenant uuid, run uuid, decided text, step text, log text)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  held text;
BEGIN
  RETURN QUERY
    UPDATE reviews.gate_runs g
       SET verdict = decided, failing_step = step, log_ref = coalesce(log, g.log_ref), updated_at = clock_timestamp()
     WHERE g.tenant_id = tenant AND g.gate_run_id = run AND g.verdict = 'RUNNING'
    RETURNING g.*;
  IF NOT FOUND THEN
    SELECT g.verdict INTO held FROM reviews.gate_runs g WHERE g.tenant_id = tenant AND g.gate_run_id = run;
    IF FOUND THEN
      PERFORM tenancy.refuse('GATE_RUN_ALREADY_DECIDED', jsonb_build_object('gateRunId', run, 'verdict', held));
    END IF;
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.expect(holds boolean, rule text)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  IF holds IS NOT TRUE THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = rule;
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.expect_build(tenant uuid, review uuid, build uuid, outcome boolean)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM builds.build_facts(tenant, build) f WHERE f.review_id = review AND f.successful = outcome) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such build.');
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.fail(subject reviews.reviews, build uuid)
 RETURNS reviews.reviews
 LANGUAGE plpgsql
AS $function$
DECLARE
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'fail');
  UPDATE reviews.reviews r
     SET status = 'FAILED', ticket = NULL, last_failed_build_id = build, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.fail_by_build(tenant uuid, review uuid, build uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM reviews.expect_build(tenant, review, build, false);
  RETURN QUERY SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.fail(r, build) m;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.get_gate_run(tenant uuid, run uuid)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM reviews.gate_runs g
   WHERE g.tenant_id = ANY (identity.readable_tenants(tenant)) AND g.gate_run_id = run;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.get_merge_receipt(tenant uuid, review uuid)
 RETURNS TABLE(tenant_id uuid, review_id uuid, name text, status text, source_branch text, target_branch text, route text, conditions text[], remote_url text, repository text, target_tip text, commit_id text, parent_commit_id text, tree_id text, anchor_commit_id text, source_tip text, build_id uuid, content_verdict text, content_reason text, verified_at timestamp with time zone, statement_version smallint, landed_commit_id text, built_on_commit_id text, content_findings jsonb, content_findings_left_out integer, content_judged_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    SELECT r.tenant_id, r.review_id, r.name, r.status, r.source_branch, r.target_branch, v.route, v.conditions,
           v.remote_url, v.repository, v.target_tip, coalesce(v.commit_id, l.commit_id),
           coalesce(v.parent_commit_id, l.parent_commit_id), coalesce(v.tree_id, l.tree_id), v.anchor_commit_id,
           coalesce(v.source_tip, l.source_tip), v.build_id,
           coalesce(l.content_verdict, v.content_verdict),
           CASE WHEN l.review_id IS NULL THEN v.content_reason ELSE l.content_reason END, v.created_at,
           CASE WHEN l.review_id IS NULL THEN v.statement_version ELSE 2::smallint END,
           coalesce(l.landed_commit_id, v.landed_commit_id), coalesce(l.built_on_commit_id, v.built_on_commit_id),
           coalesce(l.content_findings, v.content_findings),
           coalesce(l.content_findings_left_out, v.content_findings_left_out), l.created_at
      FROM reviews.reviews r
      LEFT JOIN reviews.verifications v ON v.tenant_id = r.tenant_id AND v.review_id = r.review_id
      LEFT JOIN reviews.later_contents l ON l.tenant_id = v.tenant_id AND l.review_id = v.review_id
     WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.get_review(tenant uuid, review uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM reviews.reviews r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.head_of(tenant uuid, target text, repo text)
 RETURNS reviews.reviews
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  head reviews.reviews;
BEGIN
  -- Two statements, because IS NOT DISTINCT FROM cannot use an index.
  IF repo IS NULL THEN
    SELECT * INTO head FROM reviews.reviews r
     WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository IS NULL AND r.status = 'READY'
     ORDER BY r.ticket LIMIT 1;
  ELSE
    SELECT * INTO head FROM reviews.reviews r
     WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository = repo AND r.status = 'READY'
     ORDER BY r.ticket LIMIT 1;
  END IF;
  RETURN head;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.hold_review(tenant uuid, review uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review FOR SHARE;
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.judge_ground(former reviews.reviews, moved reviews.reviews)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  other_build boolean := moved.last_ready_build_id IS DISTINCT FROM former.last_ready_build_id;
BEGIN
  PERFORM reviews.expect(moved.status = 'READY' OR NOT other_build, 'a review becomes READY by a build, and by nothing else');
  IF moved.status = 'READY' AND (other_build OR former.status <> 'MERGE') THEN
    PERFORM reviews.expect(EXISTS (
        SELECT FROM builds.build_facts(moved.tenant_id, moved.last_ready_build_id) f
         WHERE f.review_id = moved.review_id AND f.successful),
      'READY rests on a successful build of the review');
  ELSIF moved.status = 'FAILED' THEN
    PERFORM reviews.expect(EXISTS (
        SELECT FROM builds.build_facts(moved.tenant_id, moved.last_failed_build_id) f
         WHERE f.review_id = moved.review_id AND NOT f.successful),
      'FAILED rests on a failed build of the review');
  ELSIF moved.status = 'MERGED' THEN
    PERFORM reviews.expect(EXISTS (
        SELECT FROM reviews.verifications v
         WHERE v.tenant_id = moved.tenant_id AND v.review_id = moved.review_id AND v.repository = moved.repository
           AND (v.route = 'queue') = (former.status = 'MERGE')
           AND v.build_id IS NOT DISTINCT FROM moved.last_merged_build_id
           AND (v.route = 'reconciled' OR v.commit_id = moved.merged_commit_id)),
      'MERGED rests on the record of its verification');
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.judge_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  logged record;
BEGIN
  PERFORM reviews.expect(
    (NEW.tenant_id, NEW.review_id, NEW.author_user_id, NEW.name, NEW.source_branch, NEW.target_branch, NEW.created_at)
    = (OLD.tenant_id, OLD.review_id, OLD.author_user_id, OLD.name, OLD.source_branch, OLD.target_branch, OLD.created_at)
    AND (NEW.repository IS NOT DISTINCT FROM OLD.repository OR OLD.repository IS NULL AND NEW.status = 'MERGED'),
    'a review keeps what it was created with');
  PERFORM reviews.expect(CASE OLD.status
      WHEN 'OPEN' THEN NEW.status IN ('READY', 'FAILED', 'MERGED', 'CLOSED')
      WHEN 'FAILED' THEN NEW.status IN ('READY', 'FAILED', 'MERGED', 'CLOSED')
      WHEN 'READY' THEN NEW.status IN ('MERGE', 'FAILED', 'MERGED', 'CLOSED')
      WHEN 'MERGE' THEN NEW.status IN ('READY', 'FAILED', 'MERGED')
      ELSE false END,
    format('a review at %s does not move to %s', OLD.status, NEW.status));
  SELECT m.move, m.ticket, q.last_merge INTO logged
    FROM reviews.queues q JOIN reviews.queue_moves m USING (tenant_id, target_branch, version)
   WHERE q.tenant_id = NEW.tenant_id AND q.target_branch = NEW.target_branch AND m.review_id = NEW.review_id;
  PERFORM reviews.expect(CASE NEW.status
      WHEN 'READY' THEN logged.move IN ('ready', 'requeue') AND logged.ticket = NEW.ticket
      WHEN 'MERGE' THEN logged.move = 'promote'
      WHEN 'FAILED' THEN logged.move = 'fail'
      WHEN 'CLOSED' THEN logged.move = 'close'
      ELSE logged.move = CASE WHEN NEW.merge_sequence IS NULL THEN 'reconcile' ELSE 'merge' END
           AND (NEW.merge_sequence IS NULL OR NEW.merge_sequence = logged.last_merge) END,
    'a move of a review is the last one of its queue''s log');
  PERFORM reviews.judge_ground(OLD, NEW);
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.judge_new_review()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM reviews.expect(NEW.status = 'OPEN', 'a new review is OPEN');
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.judge_queue()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM reviews.expect((NEW.version, NEW.last_ticket, NEW.last_merge) = (0, 0, 0), 'a new queue has not moved');
    RETURN NEW;
  END IF;
  PERFORM reviews.expect(
    (NEW.tenant_id, NEW.target_branch, NEW.version) = (OLD.tenant_id, OLD.target_branch, OLD.version + 1)
    AND EXISTS (
      SELECT FROM reviews.queue_moves m
       WHERE m.tenant_id = NEW.tenant_id AND m.target_branch = NEW.target_branch AND m.version = NEW.version
         AND NEW.last_ticket = OLD.last_ticket + CASE WHEN m.move IN ('ready', 'requeue') THEN 1 ELSE 0 END
         AND NEW.last_merge = OLD.last_merge + CASE WHEN m.move = 'merge' THEN 1 ELSE 0 END),
    'a queue moves by one entry of its log');
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.judge_verification()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  subject reviews.reviews;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    -- A verdict that could not be computed may be computed later; why the merge was believed is never changed.
    PERFORM reviews.expect(OLD.content_verdict = 'UNKNOWN'
      AND (NEW.tenant_id, NEW.review_id, NEW.route, NEW.remote_url, NEW.repository, NEW.target_branch, NEW.target_tip,
           NEW.conditions, NEW.created_at)
        = (OLD.tenant_id, OLD.review_id, OLD.route, OLD.remote_url, OLD.repository, OLD.target_branch, OLD.target_tip,
           OLD.conditions, OLD.created_at)
      AND (NEW.build_id, NEW.anchor_commit_id, NEW.release_error)
          IS NOT DISTINCT FROM (OLD.build_id, OLD.anchor_commit_id, OLD.release_error)
      AND (OLD.commit_id IS NULL OR NEW.commit_id = OLD.commit_id)
      AND (OLD.source_tip IS NULL OR NEW.source_tip = OLD.source_tip)
      AND (OLD.tree_id IS NULL OR NEW.tree_id = OLD.tree_id)
      AND (OLD.parent_commit_id IS NULL OR NEW.parent_commit_id = OLD.parent_commit_id),
      'the record of a verification is not changed');
    RETURN NEW;
  END IF;
  SELECT * INTO subject FROM reviews.reviews r WHERE r.tenant_id = NEW.tenant_id AND r.review_id = NEW.review_id;
  PERFORM reviews.expect(NEW.target_branch = subject.target_branch
    AND (subject.repository IS NULL OR subject.repository = NEW.repository),
    'a verification is about the review''s own target and repository');
  IF NEW.route = 'queue' THEN
    PERFORM reviews.expect(subject.status = 'MERGE'
      AND NEW.anchor_commit_id IS NOT DISTINCT FROM reviews.anchor(NEW.tenant_id, NEW.target_branch, NEW.repository)
      AND EXISTS (SELECT FROM builds.build_facts(NEW.tenant_id, NEW.build_id) f
                   WHERE f.review_id = NEW.review_id AND f.kind = 'GATE' AND f.successful AND f.commit_id = NEW.commit_id),
      'a merge through the queue is that of a review at MERGE, by its successful GATE build, after the queue''s anchor');
  ELSE
    PERFORM reviews.expect(subject.status IN ('OPEN', 'READY', 'FAILED'), 'only a review that is not at MERGE is reconciled');
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.list_gate_runs(tenant uuid, target text, source text, wanted text, review uuid, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.gate_runs e',
    CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $2' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND e.source_branch = $3' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND e.verdict = $4' ELSE '' END
    || CASE WHEN review IS NOT NULL THEN ' AND e.review_id = $5' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.gate_run_id) < ($6, $7)' ELSE '' END,
    'e.created_at DESC, e.gate_run_id DESC', '$8')
    USING tenant, target, source, wanted, review, after_time, after_id, page;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.list_merge_queue(tenant uuid, repo text, target text)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT * FROM reviews.reviews r WHERE r.status = ''READY'' AND '
    || CASE WHEN tenancy.across() THEN 'r.tenant_id = ANY (identity.readable_tenants($1))'
            ELSE 'r.tenant_id = $1' END
    || CASE WHEN repo IS NOT NULL THEN ' AND r.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND r.target_branch = $3' ELSE '' END
    || ' ORDER BY r.target_branch, r.ticket, r.tenant_id'
    USING tenant, repo, target;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.list_reviews(tenant uuid, repo text, target text, source text, wanted text, author uuid, reviewer uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT * FROM reviews.reviews r WHERE '
    || CASE WHEN tenancy.across() THEN 'r.tenant_id = ANY (identity.readable_tenants($1))'
            ELSE 'r.tenant_id = $1' END
    || CASE WHEN repo IS NOT NULL THEN ' AND r.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND r.target_branch = $3' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND r.source_branch = $4' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND r.status = $5' ELSE '' END
    || CASE WHEN author IS NOT NULL THEN ' AND r.author_user_id = $6' ELSE '' END
    || CASE WHEN reviewer IS NOT NULL THEN
         ' AND EXISTS (SELECT FROM reviews.reviewers w
                        WHERE w.tenant_id = r.tenant_id AND w.review_id = r.review_id AND w.user_id = $7)' ELSE '' END
    || ' ORDER BY r.created_at DESC, r.review_id DESC'
    USING tenant, repo, target, source, wanted, author, reviewer;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.lock_comment(tenant uuid, review uuid, comment uuid)
 RETURNS SETOF reviews.comments
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT * FROM reviews.comments c
   WHERE c.tenant_id = tenant AND c.review_id = review AND c.comment_id = comment FOR NO KEY UPDATE
$function$;

CREATE OR REPLACE FUNCTION reviews.lock_queue(tenant uuid, target text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM 1 FROM reviews.queues q WHERE q.tenant_id = tenant AND q.target_branch = target FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO reviews.queues (tenant_id, target_branch) VALUES (tenant, target) ON CONFLICT DO NOTHING;
    PERFORM 1 FROM reviews.queues q WHERE q.tenant_id = tenant AND q.target_branch = target FOR UPDATE;
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.lock_review(tenant uuid, review uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
AS $function$
DECLARE
  -- The target never changes, so it may be read before the lock.
  target text := (SELECT r.target_branch FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review);
BEGIN
  IF target IS NOT NULL THEN
    PERFORM reviews.lock_queue(tenant, target);
    RETURN QUERY SELECT * FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review FOR NO KEY UPDATE;
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.log_move(subject reviews.reviews, move text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  queue reviews.queues;
BEGIN
  INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, repository, move, ticket)
  SELECT q.tenant_id, q.target_branch, q.version + 1, subject.review_id, subject.repository, move,
         CASE WHEN move IN ('ready', 'requeue') THEN q.last_ticket + 1 ELSE subject.ticket END
    FROM reviews.queues q WHERE q.tenant_id = subject.tenant_id AND q.target_branch = subject.target_branch;
  UPDATE reviews.queues q
     SET version = q.version + 1,
         last_ticket = q.last_ticket + CASE WHEN move IN ('ready', 'requeue') THEN 1 ELSE 0 END,
         last_merge = q.last_merge + CASE WHEN move = 'merge' THEN 1 ELSE 0 END
   WHERE q.tenant_id = subject.tenant_id AND q.target_branch = subject.target_branch
  RETURNING q.* INTO STRICT queue;
  RETURN CASE WHEN move = 'merge' THEN queue.last_merge ELSE queue.last_ticket END;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.look_at_head(tenant uuid, target text, repo text)
 RETURNS reviews.head_state
 LANGUAGE plpgsql
AS $function$
DECLARE
  state      reviews.head_state;
  named      text := repo;
  unrecorded reviews.reviews;
BEGIN
  IF repo IS NULL THEN
    named := reviews.next_waiting_repository(tenant, target, '');
    IF reviews.next_waiting_repository(tenant, target, named) IS NOT NULL THEN
      PERFORM reviews.refuse_ambiguous(tenant, target);
    END IF;
    unrecorded := reviews.head_of(tenant, target, NULL);
  END IF;
  IF named IS NOT NULL THEN
    state.head := reviews.head_of(tenant, target, named);
  END IF;
  IF unrecorded.ticket IS NOT NULL AND ((state.head).ticket IS NULL OR unrecorded.ticket < (state.head).ticket) THEN
    state.head := unrecorded;
  END IF;
  state.occupant := reviews.occupant(tenant, target, named, repo IS NULL);
  RETURN state;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.make_ready(subject reviews.reviews, build uuid)
 RETURNS reviews.reviews
 LANGUAGE plpgsql
AS $function$
DECLARE
  place bigint := reviews.log_move(subject, CASE WHEN build IS NULL THEN 'requeue' ELSE 'ready' END);
  changed reviews.reviews;
BEGIN
  UPDATE reviews.reviews r
     SET status = 'READY', ticket = place, last_ready_build_id = coalesce(build, r.last_ready_build_id),
         updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.may_continue(subject reviews.reviews)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  state reviews.head_state;
BEGIN
  IF subject.repository IS NULL AND reviews.next_waiting_repository(subject.tenant_id, subject.target_branch,
       reviews.next_waiting_repository(subject.tenant_id, subject.target_branch, '')) IS NOT NULL THEN
    RETURN false;
  END IF;
  state := reviews.look_at_head(subject.tenant_id, subject.target_branch, subject.repository);
  RETURN (state.head).review_id = subject.review_id AND (state.occupant).review_id IS NULL
     AND reviews.open_threads(subject) = 0;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.merge_case(tenant uuid, review uuid, build uuid, repo text)
 RETURNS TABLE(subject reviews.reviews, build_review_id uuid, build_kind text, build_successful boolean, build_commit_id text, anchor_commit_id text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    SELECT r, b.review_id, b.kind, b.successful, b.commit_id, reviews.anchor(tenant, r.target_branch, repo)
      FROM reviews.reviews r LEFT JOIN LATERAL builds.build_facts(tenant, build) b ON true
     WHERE r.tenant_id = tenant AND r.review_id = review;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.next_waiting_repository(tenant uuid, target text, after text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT r.repository FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.status = 'READY' AND r.repository > after
   ORDER BY r.repository LIMIT 1
$function$;

CREATE OR REPLACE FUNCTION reviews.occupant(tenant uuid, target text, repo text, unnamed boolean)
 RETURNS reviews.reviews
 LANGUAGE sql
 STABLE
AS $function$
  SELECT r FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.status = 'MERGE'
     AND (r.repository = repo OR unnamed AND (r.repository IS NULL OR repo IS NULL))
   ORDER BY r.updated_at LIMIT 1
$function$;

CREATE OR REPLACE FUNCTION reviews.open_threads(subject reviews.reviews)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT count(*) FROM reviews.comments c
   WHERE c.tenant_id = subject.tenant_id AND c.review_id = subject.review_id AND c.status = 'OPEN'
$function$;

CREATE OR REPLACE FUNCTION reviews.page_comments(tenant uuid, review uuid, after_commit text, after_path text, after_line integer, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF reviews.comments
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM reviews.comments c
   WHERE c.tenant_id = ANY (identity.readable_tenants(tenant)) AND c.review_id = review
     AND (after_id IS NULL OR (c.commit_id, c.file_path, c.line, c.created_at, c.comment_id)
                            > (after_commit, after_path, after_line, after_time, after_id))
   ORDER BY c.commit_id, c.file_path, c.line, c.created_at, c.comment_id LIMIT page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.page_merge_queue(tenant uuid, repo text, target text, as_of timestamp with time zone, after_target text, after_ticket bigint, after_tenant uuid, page integer)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.reviews e',
    ' AND e.status = ''READY'''
    || CASE WHEN repo IS NOT NULL THEN ' AND e.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $3' ELSE '' END
    || CASE WHEN after_ticket IS NOT NULL
            THEN ' AND e.updated_at <= $4 AND (e.target_branch, e.ticket, e.tenant_id) > ($5, $6, $7)' ELSE '' END,
    'e.target_branch, e.ticket, e.tenant_id', '$8')
    USING tenant, repo, target, as_of, after_target, after_ticket, after_tenant, page;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.page_reviewers(tenant uuid, review uuid, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF reviews.reviewers
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM reviews.reviewers w
   WHERE w.tenant_id = ANY (identity.readable_tenants(tenant)) AND w.review_id = review
     AND (after_id IS NULL OR (w.created_at, w.user_id) > (after_time, after_id))
   ORDER BY w.created_at, w.user_id LIMIT page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.page_reviews(tenant uuid, repo text, target text, source text, wanted text, author uuid, reviewer uuid, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.reviews e',
    CASE WHEN repo IS NOT NULL THEN ' AND e.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $3' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND e.source_branch = $4' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND e.status = $5' ELSE '' END
    || CASE WHEN author IS NOT NULL THEN ' AND e.author_user_id = $6' ELSE '' END
    || CASE WHEN reviewer IS NOT NULL THEN
         ' AND EXISTS (SELECT FROM reviews.reviewers w
                        WHERE w.tenant_id = e.tenant_id AND w.review_id = e.review_id AND w.user_id = $7)' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.review_id) < ($8, $9)' ELSE '' END,
    'e.created_at DESC, e.review_id DESC', '$10')
    USING tenant, repo, target, source, wanted, author, reviewer, after_time, after_id, page;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.promote(subject reviews.reviews)
 RETURNS reviews.reviews
 LANGUAGE plpgsql
AS $function$
DECLARE
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'promote');
  UPDATE reviews.reviews r SET status = 'MERGE', ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.ready_by_build(tenant uuid, review uuid, build uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM reviews.expect_build(tenant, review, build, true);
  RETURN QUERY SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.make_ready(r, build) m;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.record_later_content(tenant uuid, review uuid, proof jsonb)
 RETURNS SETOF reviews.later_contents
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO reviews.later_contents (tenant_id, review_id, parent_commit_id, tree_id, commit_id, source_tip,
    landed_commit_id, built_on_commit_id, content_verdict, content_reason, content_findings, content_findings_left_out)
  SELECT v.tenant_id, v.review_id, proof ->> 'parentCommitId', proof ->> 'treeId', proof ->> 'commitId',
         proof ->> 'sourceTip', proof ->> 'landedCommitId', proof ->> 'builtOnCommitId', proof ->> 'contentVerdict',
         proof ->> 'contentReason', coalesce(proof -> 'findings', '[]'),
         coalesce((proof ->> 'findingsLeftOut')::integer, 0)
    FROM reviews.verifications v
   WHERE v.tenant_id = tenant AND v.review_id = review AND v.content_reason = 'not_computed'
     -- Through the queue it is the commit that was reported, and no other.
     AND (v.commit_id IS NULL OR proof ->> 'commitId' IS NULL OR v.commit_id = proof ->> 'commitId')
  ON CONFLICT DO NOTHING
  RETURNING *
$function$;

CREATE OR REPLACE FUNCTION reviews.record_verification(subject reviews.reviews, build uuid, repo text, proof jsonb, release_error text)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip,
    commit_id, parent_commit_id, tree_id, anchor_commit_id, source_tip, build_id, conditions, content_verdict,
    content_reason, release_error, statement_version, landed_commit_id, built_on_commit_id, content_findings,
    content_findings_left_out)
  VALUES (subject.tenant_id, subject.review_id, CASE WHEN build IS NULL THEN 'reconciled' ELSE 'queue' END,
    proof ->> 'remoteUrl', repo, subject.target_branch, proof ->> 'targetTip', proof ->> 'commitId',
    proof ->> 'parentCommitId', proof ->> 'treeId', proof ->> 'anchorCommitId', proof ->> 'sourceTip', build,
    ARRAY(SELECT jsonb_array_elements_text(coalesce(proof -> 'conditions', '[]'))),
    coalesce(proof ->> 'contentVerdict', 'UNKNOWN'),
    CASE WHEN proof ? 'contentVerdict' THEN proof ->> 'contentReason' ELSE 'not_computed' END,
    release_error, (proof ->> 'statementVersion')::smallint, proof ->> 'landedCommitId', proof ->> 'builtOnCommitId',
    coalesce(proof -> 'findings', '[]'), coalesce((proof ->> 'findingsLeftOut')::integer, 0))
$function$;

CREATE OR REPLACE FUNCTION reviews.refuse_ambiguous(tenant uuid, target text)
 RETURNS void
 LANGUAGE sql
AS $function$
  WITH RECURSIVE named AS (
    SELECT reviews.next_waiting_repository(tenant, target, '') AS repository
    UNION ALL
    SELECT reviews.next_waiting_repository(tenant, target, named.repository) FROM named
     WHERE named.repository IS NOT NULL
  )
  SELECT tenancy.refuse('MERGE_QUEUE_AMBIGUOUS', jsonb_build_object(
    'targetBranch', target,
    'repositories', (SELECT jsonb_agg(named.repository ORDER BY named.repository) FROM named
                      WHERE named.repository IS NOT NULL),
    'unrecordedRepositoryReviewIds', coalesce((
       SELECT jsonb_agg(r.review_id ORDER BY r.ticket) FROM reviews.reviews r
        WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository IS NULL AND r.status = 'READY'), '[]')))
$function$;

CREATE OR REPLACE FUNCTION reviews.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM reviews.expect(false, format('%s of %I.%I is not done', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME));
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.remove_reviewer(tenant uuid, review uuid, usr uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM reviews.reviewers w WHERE w.tenant_id = tenant AND w.review_id = review AND w.user_id = usr;
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.requeue(tenant uuid, review uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.make_ready(r, NULL) m $function$;

CREATE OR REPLACE FUNCTION reviews.review_exists(tenant uuid, review uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT FROM reviews.reviews r
                  WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review)
$function$;

CREATE OR REPLACE FUNCTION reviews.set_thread_status(tenant uuid, comment uuid, wanted text)
 RETURNS SETOF reviews.comments
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE reviews.comments c SET status = wanted, updated_at = clock_timestamp()
   WHERE c.tenant_id = tenant AND c.comment_id = comment AND c.creator_user_id = tenancy.user_id() RETURNING c.*
$function$;
CREATE TRIGGER judge BEFORE INSERT OR UPDATE ON reviews.queues FOR EACH ROW EXECUTE FUNCTION reviews.judge_queue();
CREATE TRIGGER refuse_delete BEFORE DELETE ON reviews.queues FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
CREATE TRIGGER judge_move BEFORE UPDATE ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.judge_move();
CREATE TRIGGER judge_new BEFORE INSERT ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.judge_new_review();
CREATE TRIGGER refuse_delete BEFORE DELETE ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE ON reviews.queue_moves FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
CREATE TRIGGER judge BEFORE INSERT OR UPDATE ON reviews.verifications FOR EACH ROW EXECUTE FUNCTION reviews.judge_verification();
CREATE TRIGGER refuse_delete BEFORE DELETE ON reviews.verifications FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();

GRANT SELECT ON reviews.comments TO plat_inspector;
GRANT SELECT ON reviews.gate_runs TO plat_inspector;
GRANT SELECT ON reviews.later_contents TO plat_inspector;
GRANT SELECT ON reviews.queue_moves TO plat_inspector;
GRANT SELECT ON reviews.queues TO plat_inspector;
GRANT SELECT ON reviews.reviewers TO plat_inspector;
GRANT REFERENCES ON reviews.reviews TO plat_builds_owner;
GRANT SELECT ON reviews.reviews TO plat_inspector;
GRANT REFERENCES ON reviews.reviews TO plat_releases_owner;
GRANT SELECT ON reviews.verifications TO plat_inspector;
GRANT EXECUTE ON FUNCTION reviews.accept_history_merge(uuid,uuid,text,text,text,jsonb) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.accept_queue_merge(uuid,uuid,uuid,uuid,text,text,jsonb) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.add_reviewer(uuid,uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.advance(uuid,text,text,boolean) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.apply_build(uuid,uuid,uuid,text,boolean) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION reviews.begin_build_report(uuid,uuid) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION reviews.begin_move(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.close_review(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.create_comment(uuid,uuid,uuid,uuid,text,text,integer,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.create_gate_run(uuid,uuid,text,text,text,text,uuid,text,text,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.create_review(uuid,uuid,uuid,text,text,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.decide_gate_run(uuid,uuid,text,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.fail_by_build(uuid,uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.get_gate_run(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.get_merge_receipt(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.get_review(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.hold_review(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.list_gate_runs(uuid,text,text,text,uuid,timestamp with time zone,uuid,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.lock_comment(uuid,uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.merge_case(uuid,uuid,uuid,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.page_comments(uuid,uuid,text,text,integer,timestamp with time zone,uuid,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.page_merge_queue(uuid,text,text,timestamp with time zone,text,bigint,uuid,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.page_reviewers(uuid,uuid,timestamp with time zone,uuid,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.page_reviews(uuid,text,text,text,text,uuid,uuid,timestamp with time zone,uuid,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.ready_by_build(uuid,uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.record_later_content(uuid,uuid,jsonb) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.remove_reviewer(uuid,uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.requeue(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid,uuid) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid,uuid) TO plat_releases_owner;
GRANT EXECUTE ON FUNCTION reviews.set_thread_status(uuid,uuid,text) TO plat_reviews;

--
-- builds
--

CREATE SCHEMA builds AUTHORIZATION plat_builds_owner;
GRANT USAGE ON SCHEMA builds TO plat_builds;
GRANT USAGE ON SCHEMA builds TO plat_inspector;
GRANT USAGE ON SCHEMA builds TO plat_operations;
GRANT USAGE ON SCHEMA builds TO plat_releases_owner;
GRANT USAGE ON SCHEMA builds TO plat_reviews;
GRANT USAGE ON SCHEMA builds TO plat_reviews_owner;

CREATE TABLE builds.builds (
  tenant_id uuid NOT NULL,
  build_id uuid NOT NULL,
  review_id uuid,
  review_name text,
  environment_id uuid,
  environment_name text,
  kind text NOT NULL,
  successful boolean NOT NULL,
  commit_id text NOT NULL,
  version text,
  failure_detail text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT builds_pkey PRIMARY KEY (tenant_id, build_id),
  CONSTRAINT builds_tenant_id_review_id_build_id_key UNIQUE (tenant_id, review_id, build_id),
  CONSTRAINT builds_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT builds_check CHECK ((num_nonnulls(review_id, environment_id) = 1)),
  CONSTRAINT builds_check1 CHECK ((((review_id IS NULL) = (review_name IS NULL)) AND ((environment_id IS NULL) = (environment_name IS NULL)))),
  CONSTRAINT builds_check2 CHECK (((kind = 'RECORDED'::text) = (version IS NOT NULL))),
  CONSTRAINT builds_check3 CHECK (((kind = 'RECORDED'::text) OR (review_id IS NOT NULL))),
  CONSTRAINT builds_check4 CHECK (((kind = 'RECORDED'::text) OR successful OR (failure_detail <> ''::text))),
  CONSTRAINT builds_commit_id_check CHECK ((commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT builds_kind_check CHECK ((kind = ANY (ARRAY['RECORDED'::text, 'GATE'::text])))
) PARTITION BY RANGE (build_id);

CREATE TABLE builds.builds_default PARTITION OF builds.builds DEFAULT;

CREATE INDEX builds_environment ON ONLY builds.builds USING btree (tenant_id, environment_id, created_at, build_id) WHERE (environment_id IS NOT NULL);
CREATE INDEX builds_failed ON ONLY builds.builds USING btree (tenant_id, created_at, build_id) WHERE (NOT successful);
CREATE INDEX builds_gate ON ONLY builds.builds USING btree (tenant_id, created_at, build_id) WHERE (kind = 'GATE'::text);
CREATE INDEX builds_newest ON ONLY builds.builds USING btree (tenant_id, created_at DESC, build_id DESC);
CREATE INDEX builds_of_review ON ONLY builds.builds USING btree (tenant_id, review_id, created_at, build_id) WHERE (review_id IS NOT NULL);

ALTER TABLE builds.builds ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON builds.builds FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON builds.builds FOR SELECT TO plat_builds_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON builds.builds USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE builds.builds_default ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION builds.build_facts(tenant uuid, build uuid)
 RETURNS TABLE(review_id uuid, kind text, successful boolean, commit_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT b.review_id, b.kind, b.successful, b.commit_id
    FROM builds.builds b WHERE b.tenant_id = tenant AND b.build_id = build
$function$;

CREATE OR REPLACE FUNCTION builds.get_review_build(tenant uuid, review uuid, build uuid)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM builds.builds b
   WHERE b.tenant_id = ANY (identity.readable_tenants(tenant)) AND b.review_id = review AND b.build_id = build;
END
$function$;

CREATE OR REPLACE FUNCTION builds.list_builds(tenant uuid, environment uuid, wanted_kind text, wanted_outcome boolean, earliest timestamp with time zone, latest timestamp with time zone, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM builds.builds e',
    CASE WHEN environment IS NOT NULL THEN ' AND e.environment_id = $2' ELSE '' END
    || CASE WHEN wanted_kind IS NOT NULL THEN ' AND e.kind = $3' ELSE '' END
    || CASE wanted_outcome WHEN true THEN ' AND e.successful' WHEN false THEN ' AND NOT e.successful' ELSE '' END
    || CASE WHEN earliest IS NOT NULL THEN ' AND e.created_at >= $4' ELSE '' END
    || CASE WHEN latest IS NOT NULL THEN ' AND e.created_at <= $5' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.build_id) < ($6, $7)' ELSE '' END,
    'e.created_at DESC, e.build_id DESC', '$8')
    USING tenant, environment, wanted_kind, earliest, latest, after_time, after_id, page;
END
$function$;

CREATE OR REPLACE FUNCTION builds.list_review_builds(tenant uuid, review uuid)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM builds.builds b
   WHERE b.tenant_id = ANY (identity.readable_tenants(tenant)) AND b.review_id = review
   ORDER BY b.created_at DESC, b.build_id DESC;
  IF NOT FOUND AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION builds.make_partitions()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '500ms'
AS $function$
BEGIN
  CALL tenancy.make_partitions('builds.builds', (now() AT TIME ZONE 'UTC')::date, 12);
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END
$function$;

CREATE OR REPLACE FUNCTION builds.page_review_builds(tenant uuid, review uuid, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM builds.builds e',
    ' AND e.review_id = $2'
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.build_id) < ($3, $4)' ELSE '' END,
    'e.created_at DESC, e.build_id DESC', '$5')
    USING tenant, review, after_time, after_id, page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION builds.report_environment_build(tenant uuid, environment uuid, build uuid, build_successful boolean, commit text, build_version text, detail text)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  named text := environments.environment_name(tenant, environment);
BEGIN
  IF named IS NULL THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such environment.');
  END IF;
  RETURN QUERY
    INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id,
                               version, failure_detail)
    VALUES (tenant, build, environment, named, 'RECORDED', build_successful, commit, build_version, detail)
    RETURNING *;
END
$function$;

CREATE OR REPLACE FUNCTION builds.report_review_build(tenant uuid, review uuid, build uuid, build_kind text, build_successful boolean, commit text, build_version text, detail text, environment uuid)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  named text;
  entry builds.builds;
BEGIN
  IF environment IS NOT NULL AND environments.environment_name(tenant, environment) IS NULL THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such environment.');
  END IF;
  named := reviews.begin_build_report(tenant, review);
  IF named IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version,
                             failure_detail)
  VALUES (tenant, build, review, named, build_kind, build_successful, commit, build_version, detail)
  RETURNING * INTO STRICT entry;
  PERFORM reviews.apply_build(tenant, review, build, build_kind, build_successful);
  RETURN NEXT entry;
END
$function$;

GRANT SELECT ON builds.builds TO plat_inspector;
GRANT REFERENCES ON builds.builds TO plat_releases_owner;
GRANT REFERENCES ON builds.builds TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION builds.build_facts(uuid,uuid) TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION builds.get_review_build(uuid,uuid,uuid) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.list_builds(uuid,uuid,text,boolean,timestamp with time zone,timestamp with time zone,timestamp with time zone,uuid,integer) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.make_partitions() TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.page_review_builds(uuid,uuid,timestamp with time zone,uuid,integer) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.report_environment_build(uuid,uuid,uuid,boolean,text,text,text) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.report_review_build(uuid,uuid,uuid,text,boolean,text,text,text,uuid) TO plat_builds;

--
-- releases
--

CREATE SCHEMA releases AUTHORIZATION plat_releases_owner;
GRANT USAGE ON SCHEMA releases TO plat_inspector;
GRANT USAGE ON SCHEMA releases TO plat_operations;
GRANT USAGE ON SCHEMA releases TO plat_releases;
GRANT USAGE ON SCHEMA releases TO plat_reviews;
GRANT USAGE ON SCHEMA releases TO plat_reviews_owner;

CREATE TABLE releases.releases (
  tenant_id uuid NOT NULL,
  release_id uuid NOT NULL,
  review_id uuid,
  target_branch text NOT NULL,
  commit_id text NOT NULL,
  status text NOT NULL DEFAULT 'queued'::text,
  attempt integer NOT NULL DEFAULT 1,
  queue_sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  version text,
  build_id uuid,
  failure_reason text,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT releases_pkey PRIMARY KEY (tenant_id, release_id),
  CONSTRAINT releases_tenant_id_commit_id_key UNIQUE (tenant_id, commit_id),
  CONSTRAINT releases_tenant_id_build_id_fkey FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT releases_attempt_check CHECK ((attempt >= 1)),
  CONSTRAINT releases_check CHECK (((status = 'released'::text) = (version IS NOT NULL))),
  CONSTRAINT releases_check1 CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT releases_commit_id_check CHECK ((commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT releases_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'released'::text, 'failed'::text]))),
  CONSTRAINT releases_target_branch_check CHECK (((target_branch <> ''::text) AND (length(target_branch) <= 255))),
  CONSTRAINT releases_version_grammar CHECK ((version ~ '^[0-9]+[.][0-9]+[.][0-9]+(-[A-Za-z0-9.-]+)?$'::text))
);

CREATE TABLE releases.lines (
  tenant_id uuid NOT NULL,
  last_finished_at timestamp with time zone,
  CONSTRAINT lines_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT lines_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id)
);

CREATE INDEX releases_line ON releases.releases USING btree (tenant_id, queue_sequence) WHERE (status = 'queued'::text);
CREATE INDEX releases_newest ON releases.releases USING btree (tenant_id, created_at DESC, release_id DESC);
CREATE INDEX releases_of_review ON releases.releases USING btree (tenant_id, review_id, created_at, release_id) WHERE (review_id IS NOT NULL);
CREATE UNIQUE INDEX releases_one_running ON releases.releases USING btree (tenant_id) WHERE (status = 'running'::text);
CREATE INDEX releases_review ON releases.releases USING btree (tenant_id, review_id) WHERE (review_id IS NOT NULL);

ALTER TABLE releases.releases ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON releases.releases FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON releases.releases FOR SELECT TO plat_releases_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON releases.releases USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE releases.lines ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON releases.lines FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON releases.lines FOR SELECT TO plat_releases_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON releases.lines USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

CREATE OR REPLACE FUNCTION releases.claim(tenant uuid, cooldown interval DEFAULT '00:01:00'::interval)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  finished timestamptz := releases.lock_line(tenant);
BEGIN
  IF finished + cooldown > clock_timestamp()
     OR EXISTS (SELECT FROM releases.releases r WHERE r.tenant_id = tenant AND r.status = 'running') THEN
    RETURN;
  END IF;
  RETURN QUERY
    UPDATE releases.releases r
       SET status = 'running', started_at = clock_timestamp(), updated_at = clock_timestamp()
     WHERE r.tenant_id = tenant AND r.release_id = (
             SELECT q.release_id FROM releases.releases q WHERE q.tenant_id = tenant AND q.status = 'queued'
              ORDER BY q.queue_sequence LIMIT 1)
    RETURNING r.*;
END
$function$;

CREATE OR REPLACE FUNCTION releases.enqueue(tenant uuid, release uuid, review uuid, branch text, commit text)
 RETURNS TABLE(created boolean, entry releases.releases)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF review IS NOT NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
  PERFORM releases.lock_line(tenant);
  RETURN QUERY
    INSERT INTO releases.releases AS r (tenant_id, release_id, review_id, target_branch, commit_id)
    VALUES (tenant, release, review, branch, commit)
    ON CONFLICT (tenant_id, commit_id) DO UPDATE
       SET status = 'queued', attempt = r.attempt + 1, failure_reason = NULL, build_id = NULL,
           started_at = NULL, finished_at = NULL, updated_at = clock_timestamp()
     WHERE r.status = 'failed'
    RETURNING r.release_id = release, r;
  IF NOT FOUND THEN
    RETURN QUERY SELECT false, r FROM releases.releases r WHERE r.tenant_id = tenant AND r.commit_id = commit;
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION releases.fail_stale(tenant uuid, stale_after interval DEFAULT '04:00:00'::interval)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM releases.lock_line(tenant);
  RETURN QUERY
    SELECT f.* FROM releases.releases r
     CROSS JOIN LATERAL releases.finish(tenant, r.release_id, r.attempt, NULL, NULL,
       format('The release was still running after %s and is taken to be lost.', stale_after)) AS f
     WHERE r.tenant_id = tenant AND r.status = 'running' AND r.started_at <= clock_timestamp() - stale_after;
END
$function$;

CREATE OR REPLACE FUNCTION releases.finish(tenant uuid, release uuid, claimed_attempt integer, minted_version text, build uuid, reason text)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM releases.lock_line(tenant);
  RETURN QUERY
    UPDATE releases.releases r
       SET status = CASE WHEN minted_version IS NULL THEN 'failed' ELSE 'released' END, version = minted_version,
           build_id = build, failure_reason = reason, finished_at = clock_timestamp(), updated_at = clock_timestamp()
     WHERE r.tenant_id = tenant AND r.release_id = release AND r.status = 'running' AND r.attempt = claimed_attempt
    RETURNING r.*;
  IF FOUND THEN
    UPDATE releases.lines l SET last_finished_at = clock_timestamp() WHERE l.tenant_id = tenant;
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION releases.get_release(tenant uuid, release uuid)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM releases.releases r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.release_id = release;
END
$function$;

CREATE OR REPLACE FUNCTION releases.list_releases(tenant uuid, target text, review uuid, wanted text)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM releases.releases r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant))
     AND (target IS NULL OR r.target_branch = target)
     AND (review IS NULL OR r.review_id = review)
     AND (wanted IS NULL OR r.status = wanted)
   ORDER BY r.created_at DESC, r.release_id DESC;
END
$function$;

CREATE OR REPLACE FUNCTION releases.list_review_releases(tenant uuid, review uuid)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM releases.releases r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review
   ORDER BY r.created_at DESC, r.release_id DESC;
  IF NOT FOUND AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION releases.lock_line(tenant uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
DECLARE
  finished timestamptz;
BEGIN
  SELECT l.last_finished_at INTO finished FROM releases.lines l WHERE l.tenant_id = tenant FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO releases.lines (tenant_id) VALUES (tenant) ON CONFLICT DO NOTHING;
    SELECT l.last_finished_at INTO finished FROM releases.lines l WHERE l.tenant_id = tenant FOR UPDATE;
  END IF;
  RETURN finished;
END
$function$;

CREATE OR REPLACE FUNCTION releases.page_releases(tenant uuid, target text, review uuid, wanted text, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM releases.releases e',
    CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $2' ELSE '' END
    || CASE WHEN review IS NOT NULL THEN ' AND e.review_id = $3' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND e.status = $4' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.release_id) < ($5, $6)' ELSE '' END,
    'e.created_at DESC, e.release_id DESC', '$7')
    USING tenant, target, review, wanted, after_time, after_id, page;
END
$function$;

CREATE OR REPLACE FUNCTION releases.page_review_releases(tenant uuid, review uuid, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM releases.releases e',
    ' AND e.review_id = $2'
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.release_id) < ($3, $4)' ELSE '' END,
    'e.created_at DESC, e.release_id DESC', '$5')
    USING tenant, review, after_time, after_id, page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$function$;

GRANT SELECT ON releases.lines TO plat_inspector;
GRANT SELECT ON releases.releases TO plat_inspector;
GRANT EXECUTE ON FUNCTION releases.claim(uuid,interval) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.enqueue(uuid,uuid,uuid,text,text) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.enqueue(uuid,uuid,uuid,text,text) TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION releases.fail_stale(uuid,interval) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.finish(uuid,uuid,integer,text,uuid,text) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.get_release(uuid,uuid) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.page_releases(uuid,text,uuid,text,timestamp with time zone,uuid,integer) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.page_review_releases(uuid,uuid,timestamp with time zone,uuid,integer) TO plat_releases;
