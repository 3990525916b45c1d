-- Tenants, the issuers that vouch for their users, users, roles and what roles permit.
-- Guarantees: a (issuer, organisation) or single-tenant issuer names one tenant; a subject is one user of a tenant.
-- The owner of this schema sees all tenants: it is what tells them apart. Services reach it by functions only.

CREATE SCHEMA identity AUTHORIZATION plat_identity_owner;
GRANT USAGE ON SCHEMA identity TO plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform, plat_operations;
SET ROLE plat_identity_owner;

CREATE TABLE identity.tenants (
  tenant_id  uuid PRIMARY KEY,
  name       text NOT NULL UNIQUE CHECK (name ~ '^[a-z][a-z0-9-]{0,62}$'),
  kind       text NOT NULL CHECK (kind IN ('company', 'operations')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE identity.issuers (
  issuer_id          uuid PRIMARY KEY,
  name               text NOT NULL UNIQUE,
  url                text NOT NULL UNIQUE,
  audience           text NOT NULL,
  tenant_id          uuid REFERENCES identity.tenants,
  organization_claim text,
  -- Either the issuer itself names the tenant, or a claim of the token does.
  CHECK ((tenant_id IS NULL) <> (organization_claim IS NULL))
);

CREATE TABLE identity.organizations (
  issuer_id       uuid NOT NULL REFERENCES identity.issuers,
  organization_id text NOT NULL,
  tenant_id       uuid NOT NULL REFERENCES identity.tenants,
  PRIMARY KEY (issuer_id, organization_id)
);

CREATE TABLE identity.users (
  tenant_id  uuid NOT NULL REFERENCES identity.tenants,
  user_id    uuid NOT NULL,
  username   text NOT NULL CHECK (username <> ''),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, user_id),
  UNIQUE (tenant_id, username)
);

CREATE TABLE identity.subjects (
  tenant_id uuid NOT NULL,
  issuer_id uuid NOT NULL REFERENCES identity.issuers,
  subject   text NOT NULL,
  user_id   uuid NOT NULL,
  PRIMARY KEY (tenant_id, issuer_id, subject),
  FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users
);

CREATE TABLE identity.roles (
  tenant_id uuid NOT NULL REFERENCES identity.tenants,
  role_id   uuid NOT NULL,
  name      text NOT NULL CHECK (name <> ''),
  PRIMARY KEY (tenant_id, role_id),
  UNIQUE (tenant_id, name)
);

CREATE TABLE identity.role_permissions (
  tenant_id          uuid NOT NULL,
  role_id            uuid NOT NULL,
  permission         int NOT NULL,
  api_method         text,
  api_path           text,
  api_method_pattern text,
  api_path_pattern   text,
  PRIMARY KEY (tenant_id, role_id, permission),
  FOREIGN KEY (tenant_id, role_id) REFERENCES identity.roles ON DELETE CASCADE,
  -- A rule is exact or a pattern, whole either way.
  CHECK (num_nulls(api_method, api_path) = 0 AND num_nonnulls(api_method_pattern, api_path_pattern) = 0
      OR num_nonnulls(api_method, api_path) = 0 AND num_nulls(api_method_pattern, api_path_pattern) = 0)
);

CREATE TABLE identity.user_roles (
  tenant_id uuid NOT NULL,
  user_id   uuid NOT NULL,
  role_id   uuid NOT NULL,
  PRIMARY KEY (tenant_id, user_id, role_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users,
  FOREIGN KEY (tenant_id, role_id) REFERENCES identity.roles
);

RESET ROLE;
CALL tenancy.protect('identity.tenants');
CALL tenancy.protect('identity.users');
CALL tenancy.protect('identity.subjects');
CALL tenancy.protect('identity.roles');
CALL tenancy.protect('identity.role_permissions');
CALL tenancy.protect('identity.user_roles');
SET ROLE plat_identity_owner;

-- Who a token speaks for is asked, and the directory applied, before any tenant is entered. Once one is, identity's
-- own functions are confined to it like everybody.
CREATE POLICY directory ON identity.tenants TO plat_identity_owner
  USING (tenancy.tenant_id() IS NULL) WITH CHECK (tenancy.tenant_id() IS NULL);
CREATE POLICY directory ON identity.users TO plat_identity_owner
  USING (tenancy.tenant_id() IS NULL) WITH CHECK (tenancy.tenant_id() IS NULL);
CREATE POLICY directory ON identity.subjects TO plat_identity_owner
  USING (tenancy.tenant_id() IS NULL) WITH CHECK (tenancy.tenant_id() IS NULL);
CREATE POLICY directory ON identity.roles TO plat_identity_owner
  USING (tenancy.tenant_id() IS NULL) WITH CHECK (tenancy.tenant_id() IS NULL);
CREATE POLICY directory ON identity.role_permissions TO plat_identity_owner
  USING (tenancy.tenant_id() IS NULL) WITH CHECK (tenancy.tenant_id() IS NULL);
CREATE POLICY directory ON identity.user_roles TO plat_identity_owner
  USING (tenancy.tenant_id() IS NULL) WITH CHECK (tenancy.tenant_id() IS NULL);

-- The issuers whose keys may be fetched, and how each names a tenant.
CREATE FUNCTION identity.known_issuers()
RETURNS TABLE (url text, audience text, organization_claim text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT i.url, i.audience, i.organization_claim FROM identity.issuers i $$;

-- Who a verified token speaks for. No row: no such tenant. A row without user_id: not enrolled in it.
CREATE FUNCTION identity.resolve(issuer_url text, token_subject text, organization text)
RETURNS TABLE (tenant_id uuid, tenant_kind text, user_id uuid, username text, roles text[], permissions jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

-- The tenants whose rows a read may show: the caller's, or all for a read across tenants. A statement names them in
-- its key, so that a cross-tenant read probes each tenant's index and no index without the tenant is needed.
CREATE FUNCTION identity.readable_tenants(tenant uuid) RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN tenancy.across() THEN ARRAY(SELECT t.tenant_id FROM identity.tenants t) ELSE ARRAY[tenant] END
$$;

-- The id of a tenant that the directory names; for the database job alone.
CREATE FUNCTION identity.tenant_named(tenant_name text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT t.tenant_id FROM identity.tenants t WHERE t.name = tenant_name $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA identity FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.tenant_named(text) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid)
   TO plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform, plat_operations,
      plat_reviews_owner, plat_builds_owner, plat_releases_owner, plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.known_issuers(), identity.resolve(text, text, text)
   TO plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform;
GRANT REFERENCES ON identity.users, identity.tenants
   TO plat_reviews_owner, plat_builds_owner, plat_releases_owner, plat_environments_owner;
GRANT USAGE ON SCHEMA identity
   TO plat_reviews_owner, plat_builds_owner, plat_releases_owner, plat_environments_owner;
RESET ROLE;
