-- The schema identity after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Partitions are left out.

-- Tenants, the issuers that vouch for their users, users, roles, and the proofs by which a transaction speaks for a
-- caller.
CREATE SCHEMA identity AUTHORIZATION plat_identity_owner;
GRANT USAGE ON SCHEMA identity TO plat_audit;
GRANT USAGE ON SCHEMA identity TO plat_audit_owner;
GRANT USAGE ON SCHEMA identity TO plat_builds;
GRANT USAGE ON SCHEMA identity TO plat_builds_owner;
GRANT USAGE ON SCHEMA identity TO plat_environments_owner;
GRANT USAGE ON SCHEMA identity TO plat_inspector;
GRANT USAGE ON SCHEMA identity TO plat_ledger_owner;
GRANT USAGE ON SCHEMA identity TO plat_ledger_sealer;
GRANT USAGE ON SCHEMA identity TO plat_operations;
GRANT USAGE ON SCHEMA identity TO plat_platform;
GRANT USAGE ON SCHEMA identity TO plat_releases;
GRANT USAGE ON SCHEMA identity TO plat_releases_owner;
GRANT USAGE ON SCHEMA identity TO plat_reviews;
GRANT USAGE ON SCHEMA identity TO plat_reviews_owner;

-- One row a tenant. The database job writes them. Members of a tenant of kind operations may read across tenants.
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

-- One row an OIDC issuer whose tokens are believed, unless it has disabled_at. An issuer serves one tenant, or names
-- the tenant of a token by a claim (organization_claim). A token must be meant for audience or one of more_audiences.
-- Without row-level security: it is read before a tenant is known, by definer functions alone.
CREATE TABLE identity.issuers (
  issuer_id uuid NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  audience text NOT NULL,
  tenant_id uuid,
  organization_claim text,
  disabled_at timestamp with time zone,
  more_audiences text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT issuers_pkey PRIMARY KEY (issuer_id),
  CONSTRAINT issuers_name_key UNIQUE (name),
  CONSTRAINT issuers_url_key UNIQUE (url),
  CONSTRAINT issuers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id),
  CONSTRAINT issuers_check CHECK (((tenant_id IS NULL) <> (organization_claim IS NULL))),
  CONSTRAINT more_audiences_are_texts CHECK (((array_position(more_audiences, NULL::text) IS NULL) AND (array_position(more_audiences, ''::text) IS NULL)))
);

-- Which tenant an organisation of an issuer is; one with disabled_at is none. Without row-level security: it is read
-- before a tenant is known, and no login reads it.
CREATE TABLE identity.organizations (
  issuer_id uuid NOT NULL,
  organization_id text NOT NULL,
  tenant_id uuid NOT NULL,
  disabled_at timestamp with time zone,
  CONSTRAINT organizations_pkey PRIMARY KEY (issuer_id, organization_id),
  CONSTRAINT organizations_issuer_id_fkey FOREIGN KEY (issuer_id) REFERENCES identity.issuers(issuer_id),
  CONSTRAINT organizations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id)
);

-- One row a user of a tenant. The database job, identity.create_user and identity.set_user_disabled write them. A
-- user with disabled_at is refused from the next request on.
CREATE TABLE identity.users (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  username text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  disabled_at timestamp with time zone,
  CONSTRAINT users_pkey PRIMARY KEY (tenant_id, user_id),
  CONSTRAINT users_tenant_id_username_key UNIQUE (tenant_id, username),
  CONSTRAINT users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id),
  CONSTRAINT users_username_check CHECK ((username <> ''::text))
);

-- By which subject of which issuer a user signs in. A subject of an issuer is one user of a tenant.
CREATE TABLE identity.subjects (
  tenant_id uuid NOT NULL,
  issuer_id uuid NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT subjects_pkey PRIMARY KEY (tenant_id, issuer_id, subject),
  CONSTRAINT subjects_issuer_id_fkey FOREIGN KEY (issuer_id) REFERENCES identity.issuers(issuer_id),
  CONSTRAINT subjects_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users(tenant_id, user_id)
);

-- The roles of each tenant, by name.
CREATE TABLE identity.roles (
  tenant_id uuid NOT NULL,
  role_id uuid NOT NULL,
  name text NOT NULL,
  CONSTRAINT roles_pkey PRIMARY KEY (tenant_id, role_id),
  CONSTRAINT roles_tenant_id_name_key UNIQUE (tenant_id, name),
  CONSTRAINT roles_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id),
  CONSTRAINT roles_name_check CHECK ((name <> ''::text))
);

-- The rules of each role: a method and a route template, or a pattern for each of the two.
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

-- Which user holds which role.
CREATE TABLE identity.user_roles (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role_id uuid NOT NULL,
  CONSTRAINT user_roles_pkey PRIMARY KEY (tenant_id, user_id, role_id),
  CONSTRAINT user_roles_tenant_id_role_id_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES identity.roles(tenant_id, role_id),
  CONSTRAINT user_roles_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users(tenant_id, user_id)
);

-- One row: the key that seals proofs, whether a release from before 0023 may still enter without a proof
-- (release_before), and whether the transition has ended (closed). No login reads it.
CREATE TABLE identity.proof_keys (
  only_row boolean NOT NULL DEFAULT true,
  key bytea NOT NULL,
  release_before boolean NOT NULL,
  closed boolean NOT NULL DEFAULT false,
  CONSTRAINT proof_keys_pkey PRIMARY KEY (only_row),
  CONSTRAINT proof_keys_key_check CHECK ((length(key) = 32)),
  CONSTRAINT proof_keys_only_row_check CHECK (only_row)
);

-- One row: the newest migration that is applied (version), and the newest file of the oldest release that works on it
-- (works_from). The migration job alone writes version, and a migration that leaves a release behind writes
-- works_from.
CREATE TABLE identity.schema_state (
  only_row boolean NOT NULL DEFAULT true,
  version text NOT NULL,
  works_from text NOT NULL,
  CONSTRAINT schema_state_pkey PRIMARY KEY (only_row),
  CONSTRAINT schema_state_only_row_check CHECK (only_row)
);

-- One row a tenant that is not served, with the reason; api_url is where a tenant that has moved is served. The
-- database job writes it. Apart from identity.tenants and without row-level security, because every statement of a
-- service asks it, and it is nearly always empty. No login reads it.
CREATE TABLE identity.closed_tenants (
  tenant_id uuid NOT NULL,
  reason text NOT NULL,
  api_url text,
  closed_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT closed_tenants_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT closed_tenants_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id),
  CONSTRAINT closed_tenants_check CHECK (((reason = 'moved'::text) = (api_url IS NOT NULL))),
  CONSTRAINT closed_tenants_reason_check CHECK ((reason = ANY (ARRAY['disabled'::text, 'ending'::text, 'switching'::text, 'moved'::text, 'arriving'::text])))
);

-- One row a creating request that named an Idempotency-Key, with what it was answered from. Rows older than 24 hours
-- count as absent; each new row of a tenant removes up to ten of them. identity.claim_key and identity.keep_answer
-- alone reach it.
CREATE TABLE identity.idempotency_keys (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  key text NOT NULL,
  digest bytea NOT NULL,
  answer text NOT NULL,
  answered_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, user_id, key),
  CONSTRAINT idempotency_keys_digest_check CHECK ((length(digest) = 32)),
  CONSTRAINT idempotency_keys_key_check CHECK ((key ~ '^[!-~]{1,255}$'::text))
);

CREATE INDEX idempotency_keys_age ON identity.idempotency_keys USING btree (tenant_id, answered_at);

ALTER TABLE identity.tenants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON identity.tenants TO plat_identity_owner USING ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL)) WITH CHECK ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL));
CREATE POLICY inspection ON identity.tenants FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON identity.tenants FOR SELECT TO plat_identity_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY sealing ON identity.tenants FOR SELECT TO plat_ledger_sealer USING (true);
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

ALTER TABLE identity.closed_tenants DISABLE ROW LEVEL SECURITY;

ALTER TABLE identity.idempotency_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON identity.idempotency_keys FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON identity.idempotency_keys FOR SELECT TO plat_identity_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON identity.idempotency_keys USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

-- Returns the SHA-256, in hex, of what a token says of its caller: issuer, subject and organisation. A proof contains
-- it.
CREATE OR REPLACE FUNCTION identity.caller_digest(issuer_url text, token_subject text, organization text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN encode(sha256(convert_to((jsonb_build_array(issuer_url, token_subject, organization))::text, 'UTF8'::name)), 'hex'::text);

-- Returns tenant and user of a proof. Raises insufficient_privilege for a proof that does not hold, and for one of
-- another caller than the named issuer, subject and organisation; refuses a caller who is not admitted at this moment
-- (identity.expect_admitted). audit.record_requests calls it for each row, so that what is disabled acts no more.
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
  PERFORM identity.expect_admitted(left(proof, 36)::uuid, substr(proof, 37, 36)::uuid, issuer_url, organization);
  RETURN QUERY SELECT left(proof, 36)::uuid, substr(proof, 37, 36)::uuid;
END
$function$;

-- Returns whether a user of the entered tenant is not disabled and has a subject of an issuer that serves the tenant.
-- identity.expect_grantor calls it.
CREATE OR REPLACE FUNCTION identity.can_sign_in(usr uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (
    SELECT FROM identity.subjects s JOIN identity.issuers i USING (issuer_id)
      JOIN identity.users u ON u.tenant_id = s.tenant_id AND u.user_id = s.user_id
     WHERE s.tenant_id = tenancy.tenant_id() AND s.user_id = usr AND u.disabled_at IS NULL AND i.disabled_at IS NULL
       AND (i.tenant_id = tenancy.tenant_id() OR EXISTS (
             SELECT FROM identity.organizations o
              WHERE o.issuer_id = i.issuer_id AND o.tenant_id = tenancy.tenant_id() AND o.disabled_at IS NULL)))
$function$;

-- Takes a key of the caller until the transaction ends. Returns NULL if it is free, else the answer of the request
-- that had it. Raises PL001 with IDEMPOTENCY_KEY_IN_USE while another transaction has it, and with
-- IDEMPOTENCY_KEY_REUSED if the request had another digest. The services call it before they create something.
CREATE OR REPLACE FUNCTION identity.claim_key(tenant uuid, asked text, request bytea)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  usr   uuid := tenancy.user_id();
  known identity.idempotency_keys;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended(concat_ws('/', 'key', tenant, usr, asked), 0)) THEN
    PERFORM tenancy.refuse('IDEMPOTENCY_KEY_IN_USE');
  END IF;
  -- A statement of its own after the lock, so that it sees what the lock's last holder committed.
  SELECT * INTO known FROM identity.idempotency_keys k
   WHERE k.tenant_id = tenant AND k.user_id = usr AND k.key = asked;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF known.answered_at <= clock_timestamp() - interval '24 hours' THEN
    DELETE FROM identity.idempotency_keys k WHERE k.tenant_id = tenant AND k.user_id = usr AND k.key = asked;
    RETURN NULL;
  END IF;
  IF known.digest <> request THEN
    PERFORM tenancy.refuse('IDEMPOTENCY_KEY_REUSED');
  END IF;
  RETURN known.answer;
END
$function$;

-- Adds a role with its rules, a JSON array in the fields of the API, to the entered tenant and returns it. A name
-- that is taken violates roles_tenant_id_name_key; refuses with CONFLICT beyond the caps. The platform service calls
-- it for POST /v1/roles.
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

-- Adds a user with roles to the entered tenant and returns it; with a subject, the user can sign in. A name or
-- subject that is taken violates its unique constraint, a role of another tenant its foreign key; refuses with
-- INVALID_BODY as identity.issuer_serving does, and with CONFLICT beyond the caps. The platform service calls it for
-- POST /v1/users.
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

-- Returns whether the proof that the transaction has entered by is of the operations tenant; without a proof, whether
-- a transition lasts. Raises insufficient_privilege for a proof that does not hold. tenancy.across asks it.
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

-- Returns the tenant of the proof that the transaction has entered by, or NULL without one; during a transition, the
-- tenant that a release from before 0023 has named. Raises insufficient_privilege for a proof that does not hold.
-- tenancy.tenant_id asks it; the check of the seal is written out, because it runs in every statement.
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

-- Returns the user of the proof that the transaction has entered by, or NULL without one; during a transition, the
-- user that a release from before 0023 has named. Raises insufficient_privilege for a proof that does not hold.
-- tenancy.user_id asks it.
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

-- Refuses with UNAUTHENTICATED unless the issuer is believed, with TENANT_UNRESOLVED unless it serves the tenant for
-- that organisation, as identity.expect_open does, with NOT_ENROLLED if the user is gone and with USER_DISABLED if
-- disabled. identity.caller_of and identity.resolve_caller call it.
CREATE OR REPLACE FUNCTION identity.expect_admitted(tenant uuid, usr uuid, issuer_url text, organization text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  believed boolean;
  served   uuid;
  disabled timestamptz;
BEGIN
  SELECT i.disabled_at IS NULL, coalesce(i.tenant_id, CASE WHEN o.disabled_at IS NULL THEN o.tenant_id END)
    INTO believed, served
    FROM identity.issuers i
    LEFT JOIN identity.organizations o ON o.issuer_id = i.issuer_id AND o.organization_id = organization
   WHERE i.url = issuer_url;
  IF believed IS NOT TRUE THEN
    PERFORM tenancy.refuse('UNAUTHENTICATED');
  ELSIF served IS DISTINCT FROM tenant THEN
    PERFORM tenancy.refuse('TENANT_UNRESOLVED');
  END IF;
  PERFORM identity.expect_open(tenant);
  SELECT u.disabled_at INTO disabled FROM identity.users u WHERE u.tenant_id = tenant AND u.user_id = usr;
  IF NOT FOUND THEN
    PERFORM tenancy.refuse('NOT_ENROLLED');
  ELSIF disabled IS NOT NULL THEN
    PERFORM tenancy.refuse('USER_DISABLED');
  END IF;
END
$function$;

-- Refuses with CONFLICT if no user of the entered tenant who can sign in may grant roles. identity.revoke_role and
-- identity.set_user_disabled call it after their change, under the lock of the tenant's roles.
CREATE OR REPLACE FUNCTION identity.expect_grantor()
 RETURNS void
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  IF NOT EXISTS (
    SELECT FROM identity.user_roles ur JOIN identity.role_permissions p USING (tenant_id, role_id)
     WHERE ur.tenant_id = tenancy.tenant_id() AND identity.permits(p, 'POST', '/v1/users/{user_id}/roles')
       AND identity.can_sign_in(ur.user_id)) THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, 'Nobody who can sign in could grant roles any more.');
  END IF;
END
$function$;

-- Refuses with TENANT_DISABLED, TENANT_MOVING or TENANT_MOVED if the tenant is not served.
CREATE OR REPLACE FUNCTION identity.expect_open(tenant uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  closed identity.closed_tenants;
BEGIN
  SELECT * INTO closed FROM identity.closed_tenants c WHERE c.tenant_id = tenant;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  CASE closed.reason
    WHEN 'moved' THEN PERFORM tenancy.refuse('TENANT_MOVED', jsonb_build_object('apiUrl', closed.api_url));
    WHEN 'switching', 'arriving' THEN PERFORM tenancy.refuse('TENANT_MOVING');
    ELSE PERFORM tenancy.refuse('TENANT_DISABLED');
  END CASE;
END
$function$;

-- Raises insufficient_privilege unless identity has sealed the proof and its hour has not ended.
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

-- Refuses with CONFLICT if the tenant has more than 200 roles, or more than 1000 rules in them. identity.create_role
-- and the database job call it after their change.
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

-- Refuses with CONFLICT if the user holds more than 50 roles, or more than 200 rules by them. identity.create_user,
-- identity.grant_role and the database job call it after their change.
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

-- Returns a visible role with its rules, in the order in which they were given; no row if the role is not visible.
-- The platform service calls it for GET /v1/roles/{role_id}.
CREATE OR REPLACE FUNCTION identity.find_role(tenant uuid, wanted uuid)
 RETURNS TABLE(role_id uuid, name text, permissions jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT r.role_id, r.name, coalesce(rules.permissions, '[]')
    FROM identity.roles r
   CROSS JOIN LATERAL (
     SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
              'apiMethod', p.api_method, 'apiPath', p.api_path,
              'apiMethodPattern', p.api_method_pattern, 'apiPathPattern', p.api_path_pattern)) ORDER BY p.permission)
       FROM identity.role_permissions p
      WHERE p.tenant_id = r.tenant_id AND p.role_id = r.role_id) AS rules (permissions)
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) AND r.role_id = wanted
$function$;

-- Grants a role to a user of the entered tenant and returns the role. Foreign keys refuse a user or role of another
-- tenant, the primary key a role that is held already; refuses with CONFLICT beyond the caps. The platform service
-- calls it for POST /v1/users/{user_id}/roles.
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

-- Returns whether the rows of the tenant are being deleted. reviews.refuse_change asks it.
CREATE OR REPLACE FUNCTION identity.is_ending(tenant uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = tenant AND c.reason = 'ending') $function$;

-- Returns whether the tenant is served. environments.claim_deletion asks it, so that no worker acts for another.
CREATE OR REPLACE FUNCTION identity.is_open(tenant uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = tenant) $function$;

-- Returns a proof, valid for an hour, that the caller is this user of this tenant; NULL if the tenant is not visible.
-- It does not check that the user exists: identity.resolve_caller and environments.claim_deletion_job call it for
-- users whom they have read, and the database job calls it for itself.
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

-- Returns the issuer of that URL that serves the entered tenant or, without a URL, the only one that does; one that
-- is disabled does not. Refuses with INVALID_BODY if there is not exactly one. identity.create_user calls it.
CREATE OR REPLACE FUNCTION identity.issuer_serving(issuer_url text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  serving uuid[] := ARRAY(
    SELECT i.issuer_id FROM identity.issuers i
     WHERE (issuer_url IS NULL OR i.url = issuer_url) AND i.disabled_at IS NULL
       AND (i.tenant_id = tenancy.tenant_id() OR EXISTS (
             SELECT FROM identity.organizations o
              WHERE o.issuer_id = i.issuer_id AND o.tenant_id = tenancy.tenant_id() AND o.disabled_at IS NULL)));
BEGIN
  IF cardinality(serving) <> 1 THEN
    PERFORM tenancy.refuse('INVALID_BODY', '{"field": "issuer"}',
      CASE WHEN issuer_url IS NULL THEN 'issuer must be named: not exactly one serves the tenant.'
           ELSE 'issuer must be one that serves the tenant.' END);
  END IF;
  RETURN serving[1];
END
$function$;

-- Stores what a request with a claimed key was answered from, in the transaction of its work, and removes a few rows
-- of the tenant that are older than 24 hours. The services call it after they have created something.
CREATE OR REPLACE FUNCTION identity.keep_answer(tenant uuid, asked text, request bytea, given text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO identity.idempotency_keys (tenant_id, user_id, key, digest, answer)
  VALUES (tenant, tenancy.user_id(), asked, request, given);
  DELETE FROM identity.idempotency_keys k
   WHERE k.tenant_id = tenant AND (k.user_id, k.key) IN (
     SELECT o.user_id, o.key FROM identity.idempotency_keys o
      WHERE o.tenant_id = tenant AND o.answered_at <= clock_timestamp() - interval '24 hours'
      ORDER BY o.answered_at LIMIT 10 FOR UPDATE SKIP LOCKED);
$function$;

-- Returns the issuers whose keys may be fetched, with the claim that names a tenant, a row for each audience, the
-- first one last; a disabled issuer is none of them. Every service asks it to check tokens.
CREATE OR REPLACE FUNCTION identity.known_issuers()
 RETURNS TABLE(url text, audience text, organization_claim text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  -- The release before keeps the last row of an issuer.
  SELECT i.url, a.audience, i.organization_claim
    FROM identity.issuers i, unnest(i.more_audiences || i.audience) WITH ORDINALITY AS a (audience, place)
   WHERE i.disabled_at IS NULL ORDER BY i.url, a.place
$function$;

-- Returns all visible roles by name. It serves only a release from before 0020; tenancy.end_transition takes it from
-- the login.
CREATE OR REPLACE FUNCTION identity.list_roles(tenant uuid)
 RETURNS TABLE(role_id uuid, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT r.role_id, r.name FROM identity.roles r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) ORDER BY r.name, r.role_id
$function$;

-- Returns the roles that a visible user holds, by name. Refuses with NOT_FOUND if no such user is visible. The
-- platform service calls it for GET /v1/users/{user_id}/roles.
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

-- Returns all visible users by name. It serves only a release from before 0020; tenancy.end_transition takes it from
-- the login.
CREATE OR REPLACE FUNCTION identity.list_users(tenant uuid)
 RETURNS TABLE(tenant_id uuid, user_id uuid, username text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT u.tenant_id, u.user_id, u.username FROM identity.users u
   WHERE u.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) ORDER BY u.username, u.user_id
$function$;

-- Takes the lock of the entered tenant's roles (its row of identity.tenants) until the transaction ends. Each
-- function that changes users or roles takes it first.
CREATE OR REPLACE FUNCTION identity.lock_roles()
 RETURNS void
 LANGUAGE sql
AS $function$ SELECT FROM identity.tenants t WHERE t.tenant_id = tenancy.tenant_id() FOR NO KEY UPDATE $function$;

-- Returns the tenant that the transaction has entered, or NULL. Refuses as identity.expect_open does.
-- tenancy.enter_as asks it.
CREATE OR REPLACE FUNCTION identity.open_tenant()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  tenant uuid := identity.entered_tenant();
BEGIN
  PERFORM identity.expect_open(tenant);
  RETURN tenant;
END
$function$;

-- Returns one page of the visible roles by name, after the given place. The platform service calls it for GET
-- /v1/roles.
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

-- Returns one page of the visible users by name, after the given place, with when each was disabled. The platform
-- service calls it for GET /v1/users.
CREATE OR REPLACE FUNCTION identity.page_tenant_users(tenant uuid, after_name text, after_id uuid, page integer)
 RETURNS TABLE(tenant_id uuid, user_id uuid, username text, disabled_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.tenant_id, e.user_id, e.username, e.disabled_at FROM identity.users e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.username, e.user_id) > ($2, $3)' ELSE '' END,
    'e.username, e.user_id', '$4')
    USING tenancy.tenant_id(), after_name, after_id, page;
END
$function$;

-- Returns one page of the visible users by name, after the given place. It serves only a release from before 0065.
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

-- Returns whether a rule permits a method on a route template; a pattern must match the whole text.
-- identity.revoke_role calls it; services judge requests by the same grammar in their own code.
CREATE OR REPLACE FUNCTION identity.permits(rule identity.role_permissions, method text, template text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((((rule).api_method = method) AND ((rule).api_path = template)), ((method ~ (('^(?:'::text || (rule).api_method_pattern) || ')$'::text)) AND (template ~ (('^(?:'::text || (rule).api_path_pattern) || ')$'::text))));

-- Returns the tenants whose rows a read may show: the given one, or all of them in a transaction that reads across
-- tenants. Statements name them in their key, so that each tenant's own index serves.
CREATE OR REPLACE FUNCTION identity.readable_tenants(tenant uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT CASE WHEN tenancy.across() THEN ARRAY(SELECT t.tenant_id FROM identity.tenants t) ELSE ARRAY[tenant] END
$function$;

-- Returns for whom a verified token speaks: tenant, user, names of roles and rules. No row means that no tenant is
-- served by the issuer and organisation; a row without user_id means that the subject is not enrolled.
-- identity.resolve_caller calls it.
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
    LEFT JOIN identity.organizations o
           ON o.issuer_id = i.issuer_id AND o.organization_id = organization AND o.disabled_at IS NULL
    JOIN identity.tenants t ON t.tenant_id = coalesce(i.tenant_id, o.tenant_id)
    LEFT JOIN identity.subjects s
           ON s.tenant_id = t.tenant_id AND s.issuer_id = i.issuer_id AND s.subject = token_subject
    LEFT JOIN identity.users u ON u.tenant_id = s.tenant_id AND u.user_id = s.user_id
   WHERE i.url = issuer_url
$function$;

-- Returns what identity.resolve returns, with a proof of the caller if the subject is enrolled. Refuses a caller who
-- is not admitted, as identity.expect_admitted does. Every service calls it for the caller of a request.
CREATE OR REPLACE FUNCTION identity.resolve_caller(issuer_url text, token_subject text, organization text)
 RETURNS TABLE(tenant_id uuid, tenant_kind text, user_id uuid, username text, roles text[], permissions jsonb, proof text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM identity.issuers i WHERE i.url = issuer_url AND i.disabled_at IS NOT NULL) THEN
    PERFORM tenancy.refuse('UNAUTHENTICATED');
  END IF;
  FOR tenant_id, tenant_kind, user_id, username, roles, permissions IN
    SELECT * FROM identity.resolve(issuer_url, token_subject, organization)
  LOOP
    IF user_id IS NULL THEN
      PERFORM identity.expect_open(tenant_id);
    ELSE
      PERFORM identity.expect_admitted(tenant_id, user_id, issuer_url, organization);
      proof := identity.issue_proof(tenant_id, user_id,
                                    identity.caller_digest(issuer_url, token_subject, organization));
    END IF;
    RETURN NEXT;
  END LOOP;
END
$function$;

-- Takes a role from a user of the entered tenant; returns false if the user does not hold it. Refuses with CONFLICT
-- if nobody who can sign in could grant roles afterwards. The platform service calls it.
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
  PERFORM identity.expect_grantor();
  RETURN true;
END
$function$;

-- Returns the one row of identity.schema_state. Every service asks it before it serves.
CREATE OR REPLACE FUNCTION identity.schema_version()
 RETURNS TABLE(version text, works_from text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT s.version, s.works_from FROM identity.schema_state s $function$;

-- Returns the seal of a text under a key: nested SHA-256 (HMAC's form), in hex.
CREATE OR REPLACE FUNCTION identity.seal(key bytea, content text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN encode(sha256((key || sha256((key || convert_to(content, 'UTF8'::name))))), 'hex'::text);

-- Disables or enables a user of the entered tenant and returns it; a user who is disabled already keeps the time.
-- Refuses with NOT_FOUND, and with CONFLICT if nobody who can sign in could grant roles afterwards. The platform
-- service calls it for PATCH /v1/users/{user_id}/status.
CREATE OR REPLACE FUNCTION identity.set_user_disabled(tenant uuid, usr uuid, disable boolean)
 RETURNS TABLE(tenant_id uuid, user_id uuid, username text, disabled_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
#variable_conflict use_column
BEGIN
  PERFORM identity.lock_roles();
  UPDATE identity.users u
     SET disabled_at = CASE WHEN disable THEN coalesce(u.disabled_at, clock_timestamp()) END
   WHERE u.tenant_id = tenancy.tenant_id() AND u.user_id = usr;
  IF NOT FOUND THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such user.');
  END IF;
  IF disable THEN
    PERFORM identity.expect_grantor();
  END IF;
  RETURN QUERY SELECT u.tenant_id, u.user_id, u.username, u.disabled_at FROM identity.users u
                WHERE u.tenant_id = tenancy.tenant_id() AND u.user_id = usr;
END
$function$;

-- Sets the subject by which a user of the entered tenant signs in with an issuer, in place of an earlier one of that
-- issuer, and returns the user. A subject that is taken violates its unique constraint. Refuses with NOT_FOUND, with
-- FORBIDDEN for a user with roles if the caller may not grant roles, with CONFLICT for the caller, and with
-- INVALID_BODY as identity.issuer_serving does. The platform service calls it for PUT /v1/users/{user_id}/subject.
CREATE OR REPLACE FUNCTION identity.set_user_subject(tenant uuid, usr uuid, issuer_url text, token_subject text, may_grant boolean)
 RETURNS TABLE(tenant_id uuid, user_id uuid, username text, disabled_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
#variable_conflict use_column
DECLARE
  issuer uuid;
BEGIN
  PERFORM identity.lock_roles();
  IF NOT EXISTS (SELECT FROM identity.users u WHERE u.tenant_id = tenancy.tenant_id() AND u.user_id = usr) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such user.');
  END IF;
  IF NOT may_grant AND EXISTS (SELECT FROM identity.user_roles r
                                WHERE r.tenant_id = tenancy.tenant_id() AND r.user_id = usr) THEN
    PERFORM tenancy.refuse('FORBIDDEN', NULL, 'The user holds roles, which the caller is not allowed to grant.');
  END IF;
  IF usr = tenancy.user_id() THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, 
      'Callers cannot change the subject by which they sign in themselves; another administrator can.');
  END IF;
  issuer := identity.issuer_serving(issuer_url);
  DELETE FROM identity.subjects s
   WHERE s.tenant_id = tenancy.tenant_id() AND s.issuer_id = issuer AND s.user_id = usr;
  INSERT INTO identity.subjects (tenant_id, issuer_id, subject, user_id)
  VALUES (tenancy.tenant_id(), issuer, token_subject, usr);
  RETURN QUERY SELECT u.tenant_id, u.user_id, u.username, u.disabled_at FROM identity.users u
                WHERE u.tenant_id = tenancy.tenant_id() AND u.user_id = usr;
END
$function$;

-- Returns the name of the entered tenant, or NULL for another tenant's id. environments.namespace_of calls it.
CREATE OR REPLACE FUNCTION identity.tenant_name(tenant uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT t.name FROM identity.tenants t WHERE t.tenant_id = tenancy.tenant_id() AND t.tenant_id = tenant $function$;

-- Returns the id of the tenant of that name, or NULL if none is visible. The database job calls it before it enters a
-- tenant.
CREATE OR REPLACE FUNCTION identity.tenant_named(tenant_name text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT t.tenant_id FROM identity.tenants t WHERE t.name = tenant_name $function$;

-- Returns the name of a user of a visible tenant, or NULL. reviews.page_history calls it.
CREATE OR REPLACE FUNCTION identity.username(tenant uuid, usr uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT u.username FROM identity.users u WHERE u.tenant_id = tenant AND u.user_id = usr $function$;

GRANT SELECT (tenant_id, reason) ON identity.closed_tenants TO plat_ledger_sealer;
GRANT SELECT ON identity.idempotency_keys TO plat_inspector;
GRANT SELECT ON identity.role_permissions TO plat_inspector;
GRANT SELECT ON identity.roles TO plat_inspector;
GRANT SELECT ON identity.subjects TO plat_inspector;
GRANT REFERENCES ON identity.tenants TO plat_builds_owner;
GRANT REFERENCES ON identity.tenants TO plat_environments_owner;
GRANT SELECT ON identity.tenants TO plat_inspector;
GRANT SELECT (tenant_id) ON identity.tenants TO plat_ledger_sealer;
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
GRANT EXECUTE ON FUNCTION identity.claim_key(uuid,text,bytea) TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.claim_key(uuid,text,bytea) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.claim_key(uuid,text,bytea) TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.claim_key(uuid,text,bytea) TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.create_role(uuid,uuid,text,jsonb) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.create_user(uuid,uuid,text,text,text,uuid[]) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_ledger_owner;
GRANT EXECUTE ON FUNCTION identity.entered_operations() TO plat_ledger_sealer;
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
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_ledger_owner;
GRANT EXECUTE ON FUNCTION identity.entered_tenant() TO plat_ledger_sealer;
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
GRANT EXECUTE ON FUNCTION identity.find_role(uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.grant_role(uuid,uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.is_ending(uuid) TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION identity.is_open(uuid) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.issue_proof(uuid,uuid,text) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.keep_answer(uuid,text,bytea,text) TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.keep_answer(uuid,text,bytea,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.keep_answer(uuid,text,bytea,text) TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.keep_answer(uuid,text,bytea,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.list_user_roles(uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_audit;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_builds;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_ledger_owner;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_releases;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_releases_owner;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_reviews;
GRANT EXECUTE ON FUNCTION identity.open_tenant() TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION identity.page_roles(uuid,text,uuid,integer) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.page_tenant_users(uuid,text,uuid,integer) TO plat_platform;
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
GRANT EXECUTE ON FUNCTION identity.set_user_disabled(uuid,uuid,boolean) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.set_user_subject(uuid,uuid,text,text,boolean) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.tenant_name(uuid) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.tenant_named(text) TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.username(uuid,uuid) TO plat_reviews_owner;
