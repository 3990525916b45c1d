-- The schema after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Monthly partitions are left out.

CREATE ROLE plat_audit LOGIN NOINHERIT;
GRANT plat_operations TO plat_audit;
ALTER ROLE plat_audit SET TimeZone=UTC;
ALTER ROLE plat_audit SET idle_in_transaction_session_timeout=30s;
ALTER ROLE plat_audit SET lock_timeout=10s;
ALTER ROLE plat_audit SET statement_timeout=30s;
CREATE ROLE plat_audit_owner NOLOGIN;
CREATE ROLE plat_builds LOGIN NOINHERIT;
GRANT plat_operations TO plat_builds;
ALTER ROLE plat_builds SET TimeZone=UTC;
ALTER ROLE plat_builds SET idle_in_transaction_session_timeout=30s;
ALTER ROLE plat_builds SET lock_timeout=10s;
ALTER ROLE plat_builds SET statement_timeout=30s;
CREATE ROLE plat_builds_owner NOLOGIN;
CREATE ROLE plat_environments_owner NOLOGIN;
CREATE ROLE plat_identity_owner NOLOGIN;
CREATE ROLE plat_operations NOLOGIN;
CREATE ROLE plat_platform LOGIN NOINHERIT;
GRANT plat_operations TO plat_platform;
ALTER ROLE plat_platform SET TimeZone=UTC;
ALTER ROLE plat_platform SET idle_in_transaction_session_timeout=30s;
ALTER ROLE plat_platform SET lock_timeout=10s;
ALTER ROLE plat_platform SET statement_timeout=30s;
CREATE ROLE plat_releases LOGIN NOINHERIT;
GRANT plat_operations TO plat_releases;
ALTER ROLE plat_releases SET TimeZone=UTC;
ALTER ROLE plat_releases SET idle_in_transaction_session_timeout=30s;
ALTER ROLE plat_releases SET lock_timeout=10s;
ALTER ROLE plat_releases SET statement_timeout=30s;
CREATE ROLE plat_releases_owner NOLOGIN;
CREATE ROLE plat_reviews LOGIN NOINHERIT;
GRANT plat_operations TO plat_reviews;
ALTER ROLE plat_reviews SET TimeZone=UTC;
ALTER ROLE plat_reviews SET idle_in_transaction_session_timeout=30s;
ALTER ROLE plat_reviews SET lock_timeout=10s;
ALTER ROLE plat_reviews SET statement_timeout=30s;
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
RETURN (COALESCE(current_setting('plat.across'::text, true), ''::text) = 'on'::text);

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
  EXECUTE format('CREATE POLICY tenant ON %s USING (tenant_id = tenancy.tenant_id())
                  WITH CHECK (tenant_id = tenancy.tenant_id())', target);
  EXECUTE format('CREATE POLICY operations ON %s FOR SELECT TO plat_operations USING (true)', target);
  -- Published functions run as the owner; they follow a cross-tenant read, and only a read.
  EXECUTE format('CREATE POLICY operations_published ON %s FOR SELECT TO %I USING (tenancy.across())', target, owner_role);
  EXECUTE format('GRANT SELECT ON %s TO plat_operations', target);
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
RETURN (NULLIF(current_setting('plat.tenant_id'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION tenancy.user_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('plat.user_id'::text, true), ''::text))::uuid;

GRANT EXECUTE ON FUNCTION tenancy.across() TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.enter(uuid,uuid,boolean) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.first_id(timestamp with time zone) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.page_statement(text,text,text,text) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.refuse(text,jsonb,text) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.tenant_id() TO PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.user_id() TO PUBLIC;

--
-- identity
--

CREATE SCHEMA identity AUTHORIZATION plat_identity_owner;
GRANT USAGE ON SCHEMA identity TO plat_audit;
GRANT USAGE ON SCHEMA identity TO plat_builds;
GRANT USAGE ON SCHEMA identity TO plat_builds_owner;
GRANT USAGE ON SCHEMA identity TO plat_environments_owner;
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

ALTER TABLE identity.tenants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.tenants TO plat_identity_owner USING ((tenancy.tenant_id() IS NULL)) WITH CHECK ((tenancy.tenant_id() IS NULL));
CREATE POLICY operations ON identity.tenants FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON identity.tenants FOR SELECT TO plat_identity_owner USING (tenancy.across());
CREATE POLICY tenant ON identity.tenants USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE identity.issuers DISABLE ROW LEVEL SECURITY;

ALTER TABLE identity.organizations DISABLE ROW LEVEL SECURITY;

ALTER TABLE identity.users ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.users TO plat_identity_owner USING ((tenancy.tenant_id() IS NULL)) WITH CHECK ((tenancy.tenant_id() IS NULL));
CREATE POLICY operations ON identity.users FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON identity.users FOR SELECT TO plat_identity_owner USING (tenancy.across());
CREATE POLICY tenant ON identity.users USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE identity.subjects ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.subjects TO plat_identity_owner USING ((tenancy.tenant_id() IS NULL)) WITH CHECK ((tenancy.tenant_id() IS NULL));
CREATE POLICY operations ON identity.subjects FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON identity.subjects FOR SELECT TO plat_identity_owner USING (tenancy.across());
CREATE POLICY tenant ON identity.subjects USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE identity.roles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.roles TO plat_identity_owner USING ((tenancy.tenant_id() IS NULL)) WITH CHECK ((tenancy.tenant_id() IS NULL));
CREATE POLICY operations ON identity.roles FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON identity.roles FOR SELECT TO plat_identity_owner USING (tenancy.across());
CREATE POLICY tenant ON identity.roles USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE identity.role_permissions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.role_permissions TO plat_identity_owner USING ((tenancy.tenant_id() IS NULL)) WITH CHECK ((tenancy.tenant_id() IS NULL));
CREATE POLICY operations ON identity.role_permissions FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON identity.role_permissions FOR SELECT TO plat_identity_owner USING (tenancy.across());
CREATE POLICY tenant ON identity.role_permissions USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE identity.user_roles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.user_roles TO plat_identity_owner USING ((tenancy.tenant_id() IS NULL)) WITH CHECK ((tenancy.tenant_id() IS NULL));
CREATE POLICY operations ON identity.user_roles FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON identity.user_roles FOR SELECT TO plat_identity_owner USING (tenancy.across());
CREATE POLICY tenant ON identity.user_roles USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

CREATE OR REPLACE FUNCTION identity.create_role(tenant uuid, role uuid, named text, permissions jsonb)
 RETURNS TABLE(role_id uuid, name text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO identity.roles (tenant_id, role_id, name) VALUES (tenancy.tenant_id(), role, named);
  INSERT INTO identity.role_permissions
    (tenant_id, role_id, permission, api_method, api_path, api_method_pattern, api_path_pattern)
  SELECT tenancy.tenant_id(), role, p.place, p.rule ->> 'apiMethod', p.rule ->> 'apiPath', p.rule ->> 'apiMethodPattern',
         p.rule ->> 'apiPathPattern'
    FROM jsonb_array_elements(permissions) WITH ORDINALITY AS p (rule, place);
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
  INSERT INTO identity.users (tenant_id, user_id, username) VALUES (tenancy.tenant_id(), usr, named);
  IF token_subject IS NOT NULL THEN
    INSERT INTO identity.subjects (tenant_id, issuer_id, subject, user_id)
    VALUES (tenancy.tenant_id(), identity.issuer_serving(issuer_url), token_subject, usr);
  END IF;
  INSERT INTO identity.user_roles (tenant_id, user_id, role_id)
  SELECT DISTINCT tenancy.tenant_id(), usr, r FROM unnest(role_ids) AS r;
  RETURN QUERY SELECT tenancy.tenant_id(), usr, named;
END
$function$;

CREATE OR REPLACE FUNCTION identity.grant_role(tenant uuid, usr uuid, role uuid)
 RETURNS TABLE(role_id uuid, name text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO identity.user_roles (tenant_id, user_id, role_id) VALUES (tenancy.tenant_id(), usr, role);
  RETURN QUERY SELECT r.role_id, r.name FROM identity.roles r WHERE r.tenant_id = tenancy.tenant_id() AND r.role_id = role;
END
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

CREATE OR REPLACE FUNCTION identity.revoke_role(tenant uuid, usr uuid, role uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM identity.tenants t WHERE t.tenant_id = tenancy.tenant_id() FOR NO KEY UPDATE;
  DELETE FROM identity.user_roles ur WHERE ur.tenant_id = tenancy.tenant_id() AND ur.user_id = usr AND ur.role_id = role;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF NOT EXISTS (
    SELECT FROM identity.user_roles ur JOIN identity.role_permissions p USING (tenant_id, role_id)
     WHERE ur.tenant_id = tenancy.tenant_id() AND identity.permits(p, 'POST', '/v1/users/{user_id}/roles')
       AND EXISTS (SELECT FROM identity.subjects s WHERE s.tenant_id = tenancy.tenant_id() AND s.user_id = ur.user_id)) THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, 'Nobody who can sign in could grant roles any more.');
  END IF;
  RETURN true;
END
$function$;

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

GRANT SELECT ON identity.role_permissions TO plat_operations;
GRANT SELECT ON identity.roles TO plat_operations;
GRANT SELECT ON identity.subjects TO plat_operations;
GRANT REFERENCES ON identity.tenants TO plat_builds_owner;
GRANT REFERENCES ON identity.tenants TO plat_environments_owner;
GRANT SELECT ON identity.tenants TO plat_operations;
GRANT REFERENCES ON identity.tenants TO plat_releases_owner;
GRANT REFERENCES ON identity.tenants TO plat_reviews_owner;
GRANT SELECT ON identity.user_roles TO plat_operations;
GRANT REFERENCES ON identity.users TO plat_builds_owner;
GRANT REFERENCES ON identity.users TO plat_environments_owner;
GRANT SELECT ON identity.users TO plat_operations;
GRANT REFERENCES ON identity.users TO plat_releases_owner;
GRANT REFERENCES ON identity.users TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION identity.create_role(uuid,uuid,text,jsonb) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.create_user(uuid,uuid,text,text,text,uuid[]) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.grant_role(uuid,uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.list_roles(uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION identity.list_roles(uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.list_user_roles(uuid,uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION identity.list_user_roles(uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.list_users(uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION identity.list_users(uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_releases_owner;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION identity.resolve(text,text,text) TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.resolve(text,text,text) TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.resolve(text,text,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.resolve(text,text,text) TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.resolve(text,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.revoke_role(uuid,uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.tenant_name(uuid) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.tenant_name(uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.tenant_named(text) TO plat_environments_owner;

--
-- audit
--

CREATE SCHEMA audit AUTHORIZATION plat_audit_owner;
GRANT USAGE ON SCHEMA audit TO plat_audit;
GRANT USAGE ON SCHEMA audit TO plat_builds;
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
  CONSTRAINT audit_events_pkey PRIMARY KEY (tenant_id, created_at, audit_event_id),
  CONSTRAINT audit_events_api_path_check CHECK ((api_path ~ '^/v1/[a-z0-9_/{}-]*$'::text)),
  CONSTRAINT audit_events_check CHECK (((type = 'API'::text) = ((api_method IS NOT NULL) AND (api_path IS NOT NULL)))),
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
CREATE POLICY operations ON audit.audit_events FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON audit.audit_events FOR SELECT TO plat_audit_owner USING (tenancy.across());
CREATE POLICY recorder ON audit.audit_events FOR INSERT TO plat_audit_owner WITH CHECK (true);
CREATE POLICY tenant ON audit.audit_events USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE audit.audit_events_default ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION audit.list_events(tenant uuid, earliest timestamp with time zone, latest timestamp with time zone, usr uuid, kind text, method text, path text, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS TABLE(tenant_id uuid, audit_event_id uuid, erun_user_id uuid, external_user_id text, external_issuer_id text, external_org_id text, type text, api_method text, api_path text, mcp_tool text, cli_command text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
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

GRANT SELECT (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, cli_command, created_at) ON audit.audit_events TO plat_audit;
GRANT SELECT (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, cli_command, created_at) ON audit.audit_events TO plat_operations;
GRANT EXECUTE ON FUNCTION audit.list_events(uuid,timestamp with time zone,timestamp with time zone,uuid,text,text,text,timestamp with time zone,uuid,integer) TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.list_events(uuid,timestamp with time zone,timestamp with time zone,uuid,text,text,text,timestamp with time zone,uuid,integer) TO plat_operations;
GRANT EXECUTE ON FUNCTION audit.record(jsonb) TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.record(jsonb) TO plat_builds;
GRANT EXECUTE ON FUNCTION audit.record(jsonb) TO plat_platform;
GRANT EXECUTE ON FUNCTION audit.record(jsonb) TO plat_releases;
GRANT EXECUTE ON FUNCTION audit.record(jsonb) TO plat_reviews;

--
-- environments
--

CREATE SCHEMA environments AUTHORIZATION plat_environments_owner;
GRANT USAGE ON SCHEMA environments TO plat_builds;
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
CREATE POLICY operations ON environments.environments FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON environments.environments FOR SELECT TO plat_environments_owner USING (tenancy.across());
CREATE POLICY tenant ON environments.environments USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE environments.deletions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY operations ON environments.deletions FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON environments.deletions FOR SELECT TO plat_environments_owner USING (tenancy.across());
CREATE POLICY tenant ON environments.deletions USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));
CREATE POLICY worker ON environments.deletions TO plat_environments_owner USING ((tenancy.tenant_id() IS NULL)) WITH CHECK ((tenancy.tenant_id() IS NULL));

CREATE OR REPLACE FUNCTION environments.block_deletion(tenant uuid, environment uuid, lease uuid, reason text)
 RETURNS boolean
 LANGUAGE plpgsql
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

CREATE OR REPLACE FUNCTION environments.create_environment(tenant uuid, environment uuid, named text, kind text, context text)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
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
 STABLE
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM environments.environments e
   WHERE e.tenant_id = ANY (identity.readable_tenants(tenant)) AND e.environment_id = environment;
END
$function$;

CREATE OR REPLACE FUNCTION environments.list_environments(tenant uuid)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM environments.environments e
   WHERE e.tenant_id = ANY (identity.readable_tenants(tenant)) ORDER BY e.name, e.environment_id;
END
$function$;

CREATE OR REPLACE FUNCTION environments.namespace_of(tenant uuid, named text)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN ((identity.tenant_name(tenant) || '-'::text) || named);

CREATE OR REPLACE FUNCTION environments.postpone_deletion(tenant uuid, environment uuid, lease uuid, pause_seconds integer)
 RETURNS boolean
 LANGUAGE plpgsql
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
    VALUES (tenant, environment, usr, environments.namespace_of(tenant, entry.name), entry.kubernetes_context);
  END IF;
  RETURN NEXT entry;
END
$function$;

CREATE OR REPLACE FUNCTION environments.set_exposed_hostname(tenant uuid, environment uuid, hostname text)
 RETURNS SETOF environments.environments
 LANGUAGE sql
AS $function$
  UPDATE environments.environments e SET exposed_hostname = hostname, updated_at = clock_timestamp()
   WHERE e.tenant_id = tenant AND e.environment_id = environment RETURNING e.*
$function$;

GRANT SELECT ON environments.deletions TO plat_operations;
GRANT DELETE, INSERT, SELECT, UPDATE ON environments.deletions TO plat_platform;
GRANT SELECT ON environments.environments TO plat_operations;
GRANT DELETE, INSERT, SELECT, UPDATE ON environments.environments TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.block_deletion(uuid,uuid,uuid,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.claim_deletion(uuid,integer) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.create_environment(uuid,uuid,text,text,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.environment_name(uuid,uuid) TO plat_builds;
GRANT EXECUTE ON FUNCTION environments.finish_deletion(uuid,uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.get_environment(uuid,uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION environments.get_environment(uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.list_environments(uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION environments.list_environments(uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.namespace_of(uuid,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.postpone_deletion(uuid,uuid,uuid,integer) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.request_deletion(uuid,uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.set_exposed_hostname(uuid,uuid,text) TO plat_platform;

--
-- reviews
--

CREATE SCHEMA reviews AUTHORIZATION plat_reviews_owner;
GRANT USAGE ON SCHEMA reviews TO plat_builds;
GRANT USAGE ON SCHEMA reviews TO plat_builds_owner;
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
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_1 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2026_11(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_10 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2027_07(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_11 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2027_08(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_12 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2027_09(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_13 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2027_10(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_2 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2026_12(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_3 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2027_01(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_4 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_default(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_5 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2027_02(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_6 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2027_03(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_7 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2027_04(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_8 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2027_05(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey_9 FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds_2027_06(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_1 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2026_11(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_10 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2027_07(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_11 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2027_08(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_12 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2027_09(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_13 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2027_10(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_2 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2026_12(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_3 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2027_01(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_4 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_default(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_5 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2027_02(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_6 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2027_03(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_7 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2027_04(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_8 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2027_05(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey_9 FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds_2027_06(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_1 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2026_11(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_10 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2027_07(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_11 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2027_08(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_12 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2027_09(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_13 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2027_10(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_2 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2026_12(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_3 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2027_01(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_4 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_default(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_5 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2027_02(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_6 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2027_03(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_7 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2027_04(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_8 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2027_05(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey_9 FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds_2027_06(tenant_id, review_id, build_id),
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
CREATE POLICY operations ON reviews.queues FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON reviews.queues FOR SELECT TO plat_reviews_owner USING (tenancy.across());
CREATE POLICY tenant ON reviews.queues USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE reviews.reviews ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY operations ON reviews.reviews FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON reviews.reviews FOR SELECT TO plat_reviews_owner USING (tenancy.across());
CREATE POLICY tenant ON reviews.reviews USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE reviews.queue_moves ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY operations ON reviews.queue_moves FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON reviews.queue_moves FOR SELECT TO plat_reviews_owner USING (tenancy.across());
CREATE POLICY tenant ON reviews.queue_moves USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE reviews.reviewers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY operations ON reviews.reviewers FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON reviews.reviewers FOR SELECT TO plat_reviews_owner USING (tenancy.across());
CREATE POLICY tenant ON reviews.reviewers USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE reviews.comments ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY operations ON reviews.comments FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON reviews.comments FOR SELECT TO plat_reviews_owner USING (tenancy.across());
CREATE POLICY tenant ON reviews.comments USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE reviews.verifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY operations ON reviews.verifications FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON reviews.verifications FOR SELECT TO plat_reviews_owner USING (tenancy.across());
CREATE POLICY tenant ON reviews.verifications USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE reviews.gate_runs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY operations ON reviews.gate_runs FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON reviews.gate_runs FOR SELECT TO plat_reviews_owner USING (tenancy.across());
CREATE POLICY tenant ON reviews.gate_runs USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE reviews.later_contents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY operations ON reviews.later_contents FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON reviews.later_contents FOR SELECT TO plat_reviews_owner USING (tenancy.across());
CREATE POLICY tenant ON reviews.later_contents USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

CREATE OR REPLACE FUNCTION reviews.accept_history_merge(tenant uuid, review uuid, expected_status text, expected_repo text, repo text, proof jsonb)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
AS $function$
DECLARE
  subject reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  merged  reviews.reviews;
BEGIN
  IF subject.status IS DISTINCT FROM expected_status OR subject.repository IS DISTINCT FROM expected_repo THEN
    RETURN;
  END IF;
  PERFORM reviews.log_move(subject, 'reconcile');
  UPDATE reviews.reviews r SET status = 'MERGED', repository = repo, ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = tenant AND r.review_id = review
  RETURNING r.* INTO STRICT merged;
  PERFORM reviews.record_verification(merged, proof, NULL);
  RETURN NEXT merged;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.accept_queue_merge(tenant uuid, review uuid, build uuid, release uuid, expected_repo text, repo text, proof jsonb)
 RETURNS TABLE(merged reviews.reviews, release_error text)
 LANGUAGE plpgsql
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
  UPDATE reviews.reviews r
     SET status = 'MERGED', repository = repo, last_merged_build_id = build, merge_sequence = sequence,
         merged_commit_id = proof ->> 'commitId', updated_at = clock_timestamp()
   WHERE r.tenant_id = tenant AND r.review_id = review
  RETURNING r.* INTO STRICT merged;
  -- The block is the savepoint. Decision B13.
  BEGIN
    PERFORM releases.enqueue(tenant, release, review, merged.target_branch, merged.merged_commit_id);
  EXCEPTION WHEN OTHERS THEN
    release_error := SQLERRM;
  END;
  PERFORM reviews.record_verification(merged, proof, release_error);
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.advance(tenant uuid, target text, repo text, override boolean)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
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
BEGIN
  IF build_successful AND build_kind = 'RECORDED' AND subject.status IN ('OPEN', 'FAILED') THEN
    subject := reviews.make_ready(subject, build);
    IF reviews.may_continue(subject) THEN
      PERFORM reviews.promote(subject);
    END IF;
  ELSIF NOT build_successful AND subject.status NOT IN ('MERGED', 'CLOSED') THEN
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

CREATE OR REPLACE FUNCTION reviews.create_gate_run(tenant uuid, run uuid, source text, target text, tip text, merge text, review uuid, decided text, step text, log text, held_by text DEFAULT NULL::text)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
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
    -- Waits for a run that is being started or decided at the same moment.
    ON CONFLICT (tenant_id, review_id) WHERE verdict = 'RUNNING' AND holder IS NOT NULL AND review_id IS NOT NULL
    DO NOTHING
    RETURNING *;
    EXIT WHEN FOUND;
    SELECT * INTO running FROM reviews.gate_runs g
     WHERE g.tenant_id = tenant AND g.review_id = review AND g.verdict = 'RUNNING' AND g.holder IS NOT NULL;
    -- Not found: it was decided since, and the insert is free to be made.
    IF FOUND THEN
      PERFORM tenancy.refuse('GATE_RUN_HELD', jsonb_strip_nulls(jsonb_build_object('gateRunId', running.gate_run_id,
        'holder', running.holder, 'creatorUserId', running.creator_user_id, 'mergeCommit', running.merge_commit,
        'since', to_char(running.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))));
    END IF;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.create_review(tenant uuid, review uuid, author uuid, review_name text, repo text, source text, target text)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, source_branch, target_branch)
    VALUES (tenant, review, author, review_name, repo, source, target) RETURNING *;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.decide_gate_run(tenant uuid, run uuid, decided text, step text, log text)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
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

CREATE OR REPLACE FUNCTION reviews.get_gate_run(tenant uuid, run uuid)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM reviews.gate_runs g
   WHERE g.tenant_id = ANY (identity.readable_tenants(tenant)) AND g.gate_run_id = run;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.get_merge_receipt(tenant uuid, review uuid)
 RETURNS TABLE(tenant_id uuid, review_id uuid, name text, status text, source_branch text, target_branch text, route text, conditions text[], remote_url text, repository text, target_tip text, commit_id text, parent_commit_id text, tree_id text, anchor_commit_id text, source_tip text, build_id uuid, content_verdict text, content_reason text, verified_at timestamp with time zone, statement_version smallint, landed_commit_id text, built_on_commit_id text, content_findings jsonb, content_findings_left_out integer, content_judged_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
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
 STABLE
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
AS $function$
BEGIN
  PERFORM FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review FOR SHARE;
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION reviews.list_gate_runs(tenant uuid, target text, source text, wanted text, review uuid, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
 STABLE
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
 STABLE
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
 STABLE
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
  UPDATE reviews.queues q
     SET version = q.version + 1,
         last_ticket = q.last_ticket + CASE WHEN move IN ('ready', 'requeue') THEN 1 ELSE 0 END,
         last_merge = q.last_merge + CASE WHEN move = 'merge' THEN 1 ELSE 0 END
   WHERE q.tenant_id = subject.tenant_id AND q.target_branch = subject.target_branch
  RETURNING q.* INTO STRICT queue;
  INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, repository, move, ticket)
  VALUES (subject.tenant_id, subject.target_branch, queue.version, subject.review_id, subject.repository, move,
          CASE WHEN move IN ('ready', 'requeue') THEN queue.last_ticket ELSE subject.ticket END);
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
 STABLE
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

CREATE OR REPLACE FUNCTION reviews.record_later_content(tenant uuid, review uuid, proof jsonb)
 RETURNS SETOF reviews.later_contents
 LANGUAGE sql
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

CREATE OR REPLACE FUNCTION reviews.record_verification(subject reviews.reviews, proof jsonb, release_error text)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip,
    commit_id, parent_commit_id, tree_id, anchor_commit_id, source_tip, build_id, conditions, content_verdict,
    content_reason, release_error, statement_version, landed_commit_id, built_on_commit_id, content_findings,
    content_findings_left_out)
  VALUES (subject.tenant_id, subject.review_id,
    CASE WHEN subject.last_merged_build_id IS NULL THEN 'reconciled' ELSE 'queue' END,
    proof ->> 'remoteUrl', subject.repository, subject.target_branch, proof ->> 'targetTip', proof ->> 'commitId',
    proof ->> 'parentCommitId', proof ->> 'treeId', proof ->> 'anchorCommitId', proof ->> 'sourceTip',
    subject.last_merged_build_id,
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

CREATE OR REPLACE FUNCTION reviews.review_exists(tenant uuid, review uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT FROM reviews.reviews r
                  WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review)
$function$;

GRANT SELECT ON reviews.comments TO plat_operations;
GRANT INSERT, SELECT, UPDATE ON reviews.comments TO plat_reviews;
GRANT SELECT ON reviews.gate_runs TO plat_operations;
GRANT INSERT, SELECT, UPDATE (verdict, failing_step, log_ref, updated_at) ON reviews.gate_runs TO plat_reviews;
GRANT SELECT ON reviews.later_contents TO plat_operations;
GRANT INSERT, SELECT ON reviews.later_contents TO plat_reviews;
GRANT SELECT ON reviews.queue_moves TO plat_operations;
GRANT INSERT, SELECT ON reviews.queue_moves TO plat_reviews;
GRANT SELECT ON reviews.queues TO plat_operations;
GRANT INSERT, SELECT, UPDATE ON reviews.queues TO plat_reviews;
GRANT SELECT ON reviews.reviewers TO plat_operations;
GRANT DELETE, INSERT, SELECT ON reviews.reviewers TO plat_reviews;
GRANT REFERENCES ON reviews.reviews TO plat_builds_owner;
GRANT SELECT ON reviews.reviews TO plat_operations;
GRANT REFERENCES ON reviews.reviews TO plat_releases_owner;
GRANT INSERT, SELECT, UPDATE ON reviews.reviews TO plat_reviews;
GRANT SELECT ON reviews.verifications TO plat_operations;
GRANT INSERT, SELECT ON reviews.verifications TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.accept_history_merge(uuid,uuid,text,text,text,jsonb) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.accept_queue_merge(uuid,uuid,uuid,uuid,text,text,jsonb) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.advance(uuid,text,text,boolean) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.anchor(uuid,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.apply_build(uuid,uuid,uuid,text,boolean) TO plat_builds;
GRANT EXECUTE ON FUNCTION reviews.apply_build(uuid,uuid,uuid,text,boolean) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.begin_build_report(uuid,uuid) TO plat_builds;
GRANT EXECUTE ON FUNCTION reviews.begin_build_report(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.close(reviews.reviews) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.create_gate_run(uuid,uuid,text,text,text,text,uuid,text,text,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.create_review(uuid,uuid,uuid,text,text,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.decide_gate_run(uuid,uuid,text,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.fail(reviews.reviews,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.get_gate_run(uuid,uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION reviews.get_gate_run(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.get_merge_receipt(uuid,uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION reviews.get_merge_receipt(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.get_review(uuid,uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION reviews.get_review(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.head_of(uuid,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.hold_review(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.list_gate_runs(uuid,text,text,text,uuid,timestamp with time zone,uuid,integer) TO plat_operations;
GRANT EXECUTE ON FUNCTION reviews.list_gate_runs(uuid,text,text,text,uuid,timestamp with time zone,uuid,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.list_merge_queue(uuid,text,text) TO plat_operations;
GRANT EXECUTE ON FUNCTION reviews.list_merge_queue(uuid,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.list_reviews(uuid,text,text,text,text,uuid,uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION reviews.list_reviews(uuid,text,text,text,text,uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.lock_queue(uuid,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.lock_review(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.log_move(reviews.reviews,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.look_at_head(uuid,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.make_ready(reviews.reviews,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.may_continue(reviews.reviews) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.merge_case(uuid,uuid,uuid,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.next_waiting_repository(uuid,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.occupant(uuid,text,text,boolean) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.open_threads(reviews.reviews) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.promote(reviews.reviews) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.record_later_content(uuid,uuid,jsonb) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.record_verification(reviews.reviews,jsonb,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.refuse_ambiguous(uuid,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid,uuid) TO plat_builds;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid,uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid,uuid) TO plat_releases;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid,uuid) TO plat_releases_owner;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid,uuid) TO plat_reviews;

--
-- builds
--

CREATE SCHEMA builds AUTHORIZATION plat_builds_owner;
GRANT USAGE ON SCHEMA builds TO plat_builds;
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

ALTER TABLE builds.builds ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY operations ON builds.builds FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON builds.builds FOR SELECT TO plat_builds_owner USING (tenancy.across());
CREATE POLICY tenant ON builds.builds USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

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
 STABLE
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM builds.builds b
   WHERE b.tenant_id = ANY (identity.readable_tenants(tenant)) AND b.review_id = review AND b.build_id = build;
END
$function$;

CREATE OR REPLACE FUNCTION builds.list_builds(tenant uuid, environment uuid, wanted_kind text, wanted_outcome boolean, earliest timestamp with time zone, latest timestamp with time zone, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 STABLE
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
 STABLE
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

CREATE OR REPLACE FUNCTION builds.report_environment_build(tenant uuid, environment uuid, build uuid, build_successful boolean, commit text, build_version text, detail text)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
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

GRANT INSERT, SELECT ON builds.builds TO plat_builds;
GRANT SELECT ON builds.builds TO plat_operations;
GRANT REFERENCES ON builds.builds TO plat_releases_owner;
GRANT REFERENCES ON builds.builds TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION builds.build_facts(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION builds.get_review_build(uuid,uuid,uuid) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.get_review_build(uuid,uuid,uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION builds.list_builds(uuid,uuid,text,boolean,timestamp with time zone,timestamp with time zone,timestamp with time zone,uuid,integer) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.list_builds(uuid,uuid,text,boolean,timestamp with time zone,timestamp with time zone,timestamp with time zone,uuid,integer) TO plat_operations;
GRANT EXECUTE ON FUNCTION builds.list_review_builds(uuid,uuid) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.list_review_builds(uuid,uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION builds.report_environment_build(uuid,uuid,uuid,boolean,text,text,text) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.report_review_build(uuid,uuid,uuid,text,boolean,text,text,text,uuid) TO plat_builds;

--
-- releases
--

CREATE SCHEMA releases AUTHORIZATION plat_releases_owner;
GRANT USAGE ON SCHEMA releases TO plat_operations;
GRANT USAGE ON SCHEMA releases TO plat_releases;
GRANT USAGE ON SCHEMA releases TO plat_reviews;

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
  CONSTRAINT releases_tenant_id_build_id_fkey_1 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2026_11(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_10 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2027_07(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_11 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2027_08(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_12 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2027_09(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_13 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2027_10(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_2 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2026_12(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_3 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2027_01(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_4 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_default(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_5 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2027_02(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_6 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2027_03(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_7 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2027_04(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_8 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2027_05(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_build_id_fkey_9 FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds_2027_06(tenant_id, build_id),
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
CREATE UNIQUE INDEX releases_one_running ON releases.releases USING btree (tenant_id) WHERE (status = 'running'::text);
CREATE INDEX releases_review ON releases.releases USING btree (tenant_id, review_id) WHERE (review_id IS NOT NULL);

ALTER TABLE releases.releases ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY operations ON releases.releases FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON releases.releases FOR SELECT TO plat_releases_owner USING (tenancy.across());
CREATE POLICY tenant ON releases.releases USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

ALTER TABLE releases.lines ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY operations ON releases.lines FOR SELECT TO plat_operations USING (true);
CREATE POLICY operations_published ON releases.lines FOR SELECT TO plat_releases_owner USING (tenancy.across());
CREATE POLICY tenant ON releases.lines USING ((tenant_id = tenancy.tenant_id())) WITH CHECK ((tenant_id = tenancy.tenant_id()));

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
 STABLE
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM releases.releases r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.release_id = release;
END
$function$;

CREATE OR REPLACE FUNCTION releases.list_releases(tenant uuid, target text, review uuid, wanted text)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 STABLE
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
 STABLE
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

GRANT SELECT ON releases.lines TO plat_operations;
GRANT SELECT ON releases.releases TO plat_operations;
GRANT SELECT ON releases.releases TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.claim(uuid,interval) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.enqueue(uuid,uuid,uuid,text,text) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.enqueue(uuid,uuid,uuid,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION releases.fail_stale(uuid,interval) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.finish(uuid,uuid,integer,text,uuid,text) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.get_release(uuid,uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION releases.get_release(uuid,uuid) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.list_releases(uuid,text,uuid,text) TO plat_operations;
GRANT EXECUTE ON FUNCTION releases.list_releases(uuid,text,uuid,text) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.list_review_releases(uuid,uuid) TO plat_operations;
GRANT EXECUTE ON FUNCTION releases.list_review_releases(uuid,uuid) TO plat_releases;
