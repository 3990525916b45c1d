-- A transaction speaks for a tenant by a proof of its caller, and not by naming one: a service's login that is taken
-- over enters the tenants of callers whom it can name to identity, and no other. docs/decisions/0017 says what remains.
-- Guarantees: a proof is what identity has sealed for one user of one tenant, for an hour; whoever enters without one
-- speaks for nobody. Rows of the trail take tenant and user from the proof alone.
-- The release before names tenants: it is believed until the job ends the transition (tenancy.end_transition, 0025), at
-- once where there is no tenant yet. On a live database: policies are altered, which locks each table for a moment.

SET ROLE plat_identity_owner;

-- One row: what seals proofs, and whether the release before may still enter without one.
CREATE TABLE identity.proof_keys (
  only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  key            bytea NOT NULL CHECK (length(key) = 32),
  release_before boolean NOT NULL,
  -- Whether what the release before needs has been taken away (0025).
  closed         boolean NOT NULL DEFAULT false
);
INSERT INTO identity.proof_keys (key, release_before)
SELECT uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), EXISTS (SELECT FROM identity.tenants);

-- The seal of a text under a key: HMAC in its nested form, since a plain digest of key and text could be continued.
CREATE FUNCTION identity.seal(key bytea, content text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN encode(sha256(key || sha256(key || convert_to(content, 'UTF8'))), 'hex');

-- What a token said of its caller, in a form of fixed length.
CREATE FUNCTION identity.caller_digest(issuer_url text, token_subject text, organization text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN encode(sha256(convert_to(jsonb_build_array(issuer_url, token_subject, organization)::text, 'UTF8')), 'hex');

-- Seals that the transaction's caller is this user of this tenant. Each part has its place, so that none can be taken
-- for another: tenant (36 characters), user (36), operations tenant (1), end in seconds since 1970 (10), digest (64).
CREATE FUNCTION identity.issue_proof(tenant uuid, usr uuid, digest text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT content || identity.seal(k.key, content)
    FROM identity.proof_keys k, identity.tenants t,
         LATERAL (SELECT tenant::text || usr || CASE t.kind WHEN 'operations' THEN '1' ELSE '0' END
                         || (extract(epoch FROM now())::bigint + 3600) || digest) AS c (content)
   WHERE t.tenant_id = tenant
$$;

-- Refuses a proof that identity has not sealed, or that has ended.
CREATE FUNCTION identity.expect_proof(proof text) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
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
$$;

-- The tenant that the transaction has entered; NULL when it has entered none. Asked by every policy, so it is written
-- for speed: one look at the key, nothing called.
CREATE FUNCTION identity.entered_tenant() RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

CREATE FUNCTION identity.entered_user() RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  proof text := current_setting('plat.proof', true);
BEGIN
  IF proof <> '' THEN
    PERFORM identity.expect_proof(proof);
    RETURN substr(proof, 37, 36)::uuid;
  END IF;
  RETURN (SELECT nullif(current_setting('plat.user_id', true), '')::uuid FROM identity.proof_keys k WHERE k.release_before);
END
$$;

-- Whether the transaction's caller belongs to the operations tenant, whose callers may read across tenants.
CREATE FUNCTION identity.entered_operations() RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  proof text := current_setting('plat.proof', true);
BEGIN
  IF proof <> '' THEN
    PERFORM identity.expect_proof(proof);
    RETURN substr(proof, 73, 1) = '1';
  END IF;
  RETURN (SELECT k.release_before FROM identity.proof_keys k);
END
$$;

-- As resolve (0002), with the proof by which a transaction speaks for the caller.
CREATE FUNCTION identity.resolve_caller(issuer_url text, token_subject text, organization text)
RETURNS TABLE (tenant_id uuid, tenant_kind text, user_id uuid, username text, roles text[], permissions jsonb,
               proof text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.*, CASE WHEN r.user_id IS NOT NULL THEN
           identity.issue_proof(r.tenant_id, r.user_id, identity.caller_digest(issuer_url, token_subject, organization)) END
    FROM identity.resolve(issuer_url, token_subject, organization) r
$$;

-- Tenant and user of a request, by the proof of its caller and what the caller's token said.
CREATE FUNCTION identity.caller_of(proof text, issuer_url text, token_subject text, organization text)
RETURNS TABLE (tenant_id uuid, user_id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.expect_proof(proof);
  IF substr(proof, 84, 64) <> identity.caller_digest(issuer_url, token_subject, organization) THEN
    RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'the proof is of another caller';
  END IF;
  RETURN QUERY SELECT left(proof, 36)::uuid, substr(proof, 37, 36)::uuid;
END
$$;

REVOKE ALL ON FUNCTION identity.seal(bytea, text), identity.caller_digest(text, text, text),
  identity.issue_proof(uuid, uuid, text), identity.expect_proof(text), identity.entered_tenant(),
  identity.entered_user(), identity.entered_operations(), identity.resolve_caller(text, text, text),
  identity.caller_of(text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.resolve_caller(text, text, text)
   TO plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform;
GRANT EXECUTE ON FUNCTION identity.issue_proof(uuid, uuid, text), identity.caller_digest(text, text, text)
   TO plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.caller_of(text, text, text, text) TO plat_audit_owner;
GRANT USAGE ON SCHEMA identity TO plat_audit_owner;
-- Everybody's policies ask these; they tell the asker's own transaction alone.
GRANT EXECUTE ON FUNCTION identity.entered_tenant(), identity.entered_user(), identity.entered_operations()
   TO plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform, plat_operations, plat_reviews_owner,
      plat_builds_owner, plat_releases_owner, plat_audit_owner, plat_environments_owner;
RESET ROLE;

CREATE OR REPLACE FUNCTION tenancy.tenant_id() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN identity.entered_tenant();

CREATE OR REPLACE FUNCTION tenancy.user_id() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN identity.entered_user();

CREATE OR REPLACE FUNCTION tenancy.across() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('plat.across', true), '') = 'on' AND identity.entered_operations();

-- Enters the tenant of a proof for the rest of the transaction. Answers the tenant, so that a statement can make its
-- work depend on having entered.
CREATE FUNCTION tenancy.enter_as(proof text, read_across boolean) RETURNS uuid
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  PERFORM set_config('plat.proof', proof, true),
          set_config('plat.across', CASE WHEN read_across THEN 'on' ELSE '' END, true);
  RETURN tenancy.tenant_id();
END
$$;

-- As before (0001). A policy asks once a statement, not once a row; and what reads across tenants are published
-- functions, so the role of operations needs no policy.
CREATE OR REPLACE PROCEDURE tenancy.protect(target regclass)
LANGUAGE plpgsql
AS $$
DECLARE
  owner_role name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = target);
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY tenant ON %s USING (tenant_id = (SELECT tenancy.tenant_id()))
                  WITH CHECK (tenant_id = (SELECT tenancy.tenant_id()))', target);
  EXECUTE format('CREATE POLICY operations_published ON %s FOR SELECT TO %I USING ((SELECT tenancy.across()))',
                 target, owner_role);
END
$$;

DO $$
DECLARE
  policy record;
BEGIN
  FOR policy IN SELECT p.polname AS name, p.polrelid::regclass AS target FROM pg_policy p
                 JOIN pg_class c ON c.oid = p.polrelid
                WHERE pg_get_userbyid(c.relowner) LIKE 'plat\_%\_owner'
  LOOP
    CASE policy.name
      WHEN 'tenant' THEN
        EXECUTE format('ALTER POLICY tenant ON %s USING (tenant_id = (SELECT tenancy.tenant_id()))
                        WITH CHECK (tenant_id = (SELECT tenancy.tenant_id()))', policy.target);
      WHEN 'operations_published' THEN
        EXECUTE format('ALTER POLICY operations_published ON %s USING ((SELECT tenancy.across()))', policy.target);
      WHEN 'directory', 'worker' THEN
        EXECUTE format('ALTER POLICY %I ON %s USING ((SELECT tenancy.tenant_id()) IS NULL)
                        WITH CHECK ((SELECT tenancy.tenant_id()) IS NULL)', policy.name, policy.target);
      ELSE
        NULL;
    END CASE;
  END LOOP;
END
$$;

SET ROLE plat_audit_owner;

-- Writes the rows of the requests that wait at this moment, in one statement. `rows` is a JSON array in the fields of the
-- contract, but for tenant and user: those are what the proof of each row's caller says, and a row whose external fields
-- are not that caller's is refused.
CREATE FUNCTION audit.record_requests(rows jsonb) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
    external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, api_parameters, created_at)
  SELECT c.tenant_id, r."auditEventId", r."requestId", c.user_id, r."externalUserId", r."externalIssuerId",
         r."externalOrgId", r.type, r."apiMethod", r."apiPath", r."mcpTool", r."apiParameters", clock_timestamp()
    FROM jsonb_to_recordset(rows) AS r(proof text, "auditEventId" uuid, "requestId" text, "externalUserId" text,
         "externalIssuerId" text, "externalOrgId" text, type text, "apiMethod" text, "apiPath" text, "mcpTool" text,
         "apiParameters" jsonb)
   CROSS JOIN LATERAL identity.caller_of(r.proof, r."externalIssuerId", r."externalUserId", r."externalOrgId") c
$$;

REVOKE ALL ON FUNCTION audit.record_requests(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb)
   TO plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform;
RESET ROLE;
