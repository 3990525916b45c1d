-- Tenants, issuers, users, roles, and the key that seals proofs. docs/decisions/0017 says what a proof is for.

SET ROLE plat_identity_owner;

CREATE TABLE identity.tenants (
  tenant_id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT tenants_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT tenants_name_key UNIQUE (name),
  CONSTRAINT tenants_kind_check CHECK (kind IN ('company', 'operations')),
  CONSTRAINT tenants_name_check CHECK (name ~ '^[a-z][a-z0-9-]{0,62}$')
);
COMMENT ON TABLE identity.tenants IS
  'One row for each tenant. The database job writes them. Members of a tenant of kind operations may read across '
  'tenants.';

CREATE TABLE identity.issuers (
  issuer_id uuid NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  audience text NOT NULL,
  tenant_id uuid,
  organization_claim text,
  disabled_at timestamptz,
  more_audiences text[] NOT NULL DEFAULT '{}',
  CONSTRAINT issuers_pkey PRIMARY KEY (issuer_id),
  CONSTRAINT issuers_name_key UNIQUE (name),
  CONSTRAINT issuers_url_key UNIQUE (url),
  CONSTRAINT issuers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants (tenant_id),
  CONSTRAINT issuers_check CHECK ((tenant_id IS NULL) <> (organization_claim IS NULL)),
  CONSTRAINT more_audiences_are_texts
    CHECK ((array_position(more_audiences, NULL::text) IS NULL) AND (array_position(more_audiences, '') IS NULL))
);
COMMENT ON TABLE identity.issuers IS
  'One row for each OIDC issuer whose tokens are believed, unless it has disabled_at. An issuer serves one tenant, or '
  'names the tenant of a token by a claim (organization_claim). A token must be meant for audience or one of '
  'more_audiences. Without row-level security: it is read before a tenant is known, by definer functions alone.';

CREATE TABLE identity.organizations (
  issuer_id uuid NOT NULL,
  organization_id text NOT NULL,
  tenant_id uuid NOT NULL,
  disabled_at timestamptz,
  CONSTRAINT organizations_pkey PRIMARY KEY (issuer_id, organization_id),
  CONSTRAINT organizations_issuer_id_fkey FOREIGN KEY (issuer_id) REFERENCES identity.issuers (issuer_id),
  CONSTRAINT organizations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants (tenant_id)
);
COMMENT ON TABLE identity.organizations IS
  'The tenant of each organisation of an issuer. An organisation with disabled_at has none. Without row-level '
  'security: it is read before a tenant is known, and no login reads it.';

CREATE TABLE identity.users (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  username text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  disabled_at timestamptz,
  CONSTRAINT users_pkey PRIMARY KEY (tenant_id, user_id),
  CONSTRAINT users_tenant_id_username_key UNIQUE (tenant_id, username),
  CONSTRAINT users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants (tenant_id),
  CONSTRAINT users_username_check CHECK (username <> '')
);
COMMENT ON TABLE identity.users IS
  'One row for each user of a tenant. The database job, identity.create_user and identity.set_user_disabled write '
  'them. A user with disabled_at is refused from the next request on.';

CREATE TABLE identity.subjects (
  tenant_id uuid NOT NULL,
  issuer_id uuid NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT subjects_pkey PRIMARY KEY (tenant_id, issuer_id, subject),
  CONSTRAINT subjects_issuer_id_fkey FOREIGN KEY (issuer_id) REFERENCES identity.issuers (issuer_id),
  CONSTRAINT subjects_tenant_id_user_id_fkey
    FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users (tenant_id, user_id)
);
COMMENT ON TABLE identity.subjects IS
  'The subject of an issuer by which a user signs in. A subject of an issuer is one user of a tenant.';

CREATE TABLE identity.roles (
  tenant_id uuid NOT NULL,
  role_id uuid NOT NULL,
  name text NOT NULL,
  CONSTRAINT roles_pkey PRIMARY KEY (tenant_id, role_id),
  CONSTRAINT roles_tenant_id_name_key UNIQUE (tenant_id, name),
  CONSTRAINT roles_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants (tenant_id),
  CONSTRAINT roles_name_check CHECK (name <> '')
);
COMMENT ON TABLE identity.roles IS
  'The roles of each tenant, by name.';

CREATE TABLE identity.role_permissions (
  tenant_id uuid NOT NULL,
  role_id uuid NOT NULL,
  permission int NOT NULL,
  api_method text,
  api_path text,
  api_method_pattern text,
  api_path_pattern text,
  CONSTRAINT role_permissions_pkey PRIMARY KEY (tenant_id, role_id, permission),
  CONSTRAINT role_permissions_tenant_id_role_id_fkey
    FOREIGN KEY (tenant_id, role_id) REFERENCES identity.roles (tenant_id, role_id) ON DELETE CASCADE,
  CONSTRAINT role_permissions_check
    CHECK ((num_nulls(api_method, api_path) = 0 AND num_nonnulls(api_method_pattern, api_path_pattern) = 0)
      OR (num_nonnulls(api_method, api_path) = 0 AND num_nulls(api_method_pattern, api_path_pattern) = 0))
);
COMMENT ON TABLE identity.role_permissions IS
  'The rules of each role: a method and a route template, or a pattern for each of the two.';

CREATE TABLE identity.user_roles (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role_id uuid NOT NULL,
  CONSTRAINT user_roles_pkey PRIMARY KEY (tenant_id, user_id, role_id),
  CONSTRAINT user_roles_tenant_id_role_id_fkey
    FOREIGN KEY (tenant_id, role_id) REFERENCES identity.roles (tenant_id, role_id),
  CONSTRAINT user_roles_tenant_id_user_id_fkey
    FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users (tenant_id, user_id)
);
COMMENT ON TABLE identity.user_roles IS
  'The roles that each user holds.';

CREATE TABLE identity.proof_keys (
  only_row boolean NOT NULL DEFAULT true,
  key bytea NOT NULL,
  CONSTRAINT proof_keys_pkey PRIMARY KEY (only_row),
  CONSTRAINT proof_keys_key_check CHECK (length(key) = 32),
  CONSTRAINT proof_keys_only_row_check CHECK (only_row)
);
COMMENT ON TABLE identity.proof_keys IS
  'One row: the key that seals proofs. No login reads it.';

CREATE TABLE identity.schema_state (
  only_row boolean NOT NULL DEFAULT true,
  version text NOT NULL,
  works_from text NOT NULL,
  CONSTRAINT schema_state_pkey PRIMARY KEY (only_row),
  CONSTRAINT schema_state_only_row_check CHECK (only_row)
);
COMMENT ON TABLE identity.schema_state IS
  'One row: the newest migration that is applied (version), and the newest file of the oldest release that works on '
  'it (works_from). The migration job alone writes version, and a migration on which an older release does not work '
  'writes works_from.';

CREATE TABLE identity.closed_tenants (
  tenant_id uuid NOT NULL,
  reason text NOT NULL,
  api_url text,
  closed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT closed_tenants_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT closed_tenants_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants (tenant_id),
  CONSTRAINT closed_tenants_check CHECK ((reason = 'moved') = (api_url IS NOT NULL)),
  CONSTRAINT closed_tenants_reason_check CHECK (reason IN ('disabled', 'ending', 'switching', 'moved', 'arriving'))
);
COMMENT ON TABLE identity.closed_tenants IS
  'One row for each tenant that is not served, with the reason; api_url is where a tenant that has moved is served. '
  'The database job writes it. It is separate from identity.tenants and has no row-level security, because every '
  'statement of a service reads it, and it is nearly always empty. No login reads it.';

CREATE TABLE identity.idempotency_keys (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  key text NOT NULL,
  digest bytea NOT NULL,
  answer text NOT NULL,
  answered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, user_id, key),
  CONSTRAINT idempotency_keys_digest_check CHECK (length(digest) = 32),
  CONSTRAINT idempotency_keys_key_check CHECK (key ~ '^[!-~]{1,255}$')
);
COMMENT ON TABLE identity.idempotency_keys IS
  'One row for each creating request that named an Idempotency-Key, with the data from which it was answered. Rows '
  'older than 24 hours count as absent; each new row of a tenant removes up to ten of them. identity.claim_key and '
  'identity.keep_answer alone reach it.';
CREATE INDEX idempotency_keys_age ON identity.idempotency_keys (tenant_id, answered_at);

INSERT INTO identity.proof_keys (key) VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
INSERT INTO identity.schema_state (version, works_from) VALUES ('', '0008_ledger');

RESET ROLE;

CALL tenancy.protect('identity.tenants');
CREATE POLICY directory ON identity.tenants TO plat_identity_owner
  USING ((SELECT tenancy.tenant_id()) IS NULL) WITH CHECK ((SELECT tenancy.tenant_id()) IS NULL);
CREATE POLICY sealing ON identity.tenants FOR SELECT TO plat_ledger_sealer USING (true);
GRANT REFERENCES ON identity.tenants TO plat_builds_owner, plat_environments_owner, plat_releases_owner,
  plat_reviews_owner;
GRANT SELECT (tenant_id) ON identity.tenants TO plat_ledger_sealer;

CALL tenancy.protect('identity.users');
CREATE POLICY directory ON identity.users TO plat_identity_owner
  USING ((SELECT tenancy.tenant_id()) IS NULL) WITH CHECK ((SELECT tenancy.tenant_id()) IS NULL);
GRANT REFERENCES ON identity.users TO plat_builds_owner, plat_environments_owner, plat_releases_owner,
  plat_reviews_owner;

CALL tenancy.protect('identity.subjects');
CREATE POLICY directory ON identity.subjects TO plat_identity_owner
  USING ((SELECT tenancy.tenant_id()) IS NULL) WITH CHECK ((SELECT tenancy.tenant_id()) IS NULL);

CALL tenancy.protect('identity.roles');
CREATE POLICY directory ON identity.roles TO plat_identity_owner
  USING ((SELECT tenancy.tenant_id()) IS NULL) WITH CHECK ((SELECT tenancy.tenant_id()) IS NULL);

CALL tenancy.protect('identity.role_permissions');
CREATE POLICY directory ON identity.role_permissions TO plat_identity_owner
  USING ((SELECT tenancy.tenant_id()) IS NULL) WITH CHECK ((SELECT tenancy.tenant_id()) IS NULL);

CALL tenancy.protect('identity.user_roles');
CREATE POLICY directory ON identity.user_roles TO plat_identity_owner
  USING ((SELECT tenancy.tenant_id()) IS NULL) WITH CHECK ((SELECT tenancy.tenant_id()) IS NULL);

GRANT SELECT (tenant_id, reason) ON identity.closed_tenants TO plat_ledger_sealer;

CALL tenancy.protect('identity.idempotency_keys');
