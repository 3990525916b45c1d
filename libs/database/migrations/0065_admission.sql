-- Users, issuers, organisations and tenants may be disabled, and a tenant may be closed for other reasons.
-- Guarantees: what is disabled is refused from the next request on, in every replica: the trail's row, without which no
-- request acts, is written only for a caller who is admitted at that moment, and a transaction enters only a tenant that
-- is open. What a process has cached opens no door.
-- On a live database: three columns without a default, and an empty table. The release before meets a refusal only once
-- something is disabled; it then answers 503 or 500 in place of the code, so nothing is disabled before `finish`.

SET ROLE plat_identity_owner;

ALTER TABLE identity.users ADD COLUMN disabled_at timestamptz;
ALTER TABLE identity.issuers ADD COLUMN disabled_at timestamptz;
ALTER TABLE identity.organizations ADD COLUMN disabled_at timestamptz;
COMMENT ON TABLE identity.users IS
  'One row a user of a tenant. The database job, identity.create_user and identity.set_user_disabled write them. A user '
  'with disabled_at is refused from the next request on.';
COMMENT ON TABLE identity.issuers IS
  'One row an OIDC issuer whose tokens are believed, unless it has disabled_at. An issuer serves one tenant, or names the '
  'tenant of a token by a claim (organization_claim). Without row-level security: it is read before a tenant is known, '
  'and no login reads it.';
COMMENT ON TABLE identity.organizations IS
  'Which tenant an organisation of an issuer is; one with disabled_at is none. Without row-level security: it is read '
  'before a tenant is known, and no login reads it.';

CREATE TABLE identity.closed_tenants (
  tenant_id uuid PRIMARY KEY REFERENCES identity.tenants,
  -- disabled and ending by an operator; switching, moved and arriving by a move between cells
  reason    text NOT NULL CHECK (reason IN ('disabled', 'ending', 'switching', 'moved', 'arriving')),
  api_url   text CHECK ((reason = 'moved') = (api_url IS NOT NULL)),
  closed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE identity.closed_tenants IS
  'One row a tenant that is not served, with the reason; api_url is where a tenant that has moved is served. The '
  'database job writes it. Apart from identity.tenants and without row-level security, because every statement of a '
  'service asks it, and it is nearly always empty. No login reads it.';

CREATE FUNCTION identity.is_open(tenant uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = tenant) $$;
COMMENT ON FUNCTION identity.is_open IS
  'Returns whether the tenant is served. environments.claim_deletion asks it, so that no worker acts for another.';

CREATE FUNCTION identity.expect_open(tenant uuid) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
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
$$;
COMMENT ON FUNCTION identity.expect_open IS
  'Refuses with TENANT_DISABLED, TENANT_MOVING or TENANT_MOVED if the tenant is not served.';

CREATE FUNCTION identity.open_tenant() RETURNS uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  tenant uuid := identity.entered_tenant();
BEGIN
  PERFORM identity.expect_open(tenant);
  RETURN tenant;
END
$$;
COMMENT ON FUNCTION identity.open_tenant IS
  'Returns the tenant that the transaction has entered, or NULL. Refuses as identity.expect_open does. '
  'tenancy.enter_as asks it.';

CREATE FUNCTION identity.expect_admitted(tenant uuid, usr uuid, issuer_url text, organization text) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
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
$$;
COMMENT ON FUNCTION identity.expect_admitted IS
  'Refuses with UNAUTHENTICATED unless the issuer is believed, with TENANT_UNRESOLVED unless it serves the tenant for '
  'that organisation, as identity.expect_open does, with NOT_ENROLLED if the user is gone and with USER_DISABLED if '
  'disabled. identity.caller_of and identity.resolve_caller call it.';

CREATE OR REPLACE FUNCTION identity.caller_of(proof text, issuer_url text, token_subject text, organization text)
RETURNS TABLE (tenant_id uuid, user_id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.expect_proof(proof);
  IF substr(proof, 84, 64) <> identity.caller_digest(issuer_url, token_subject, organization) THEN
    RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'the proof is of another caller';
  END IF;
  PERFORM identity.expect_admitted(left(proof, 36)::uuid, substr(proof, 37, 36)::uuid, issuer_url, organization);
  RETURN QUERY SELECT left(proof, 36)::uuid, substr(proof, 37, 36)::uuid;
END
$$;
COMMENT ON FUNCTION identity.caller_of IS
  'Returns tenant and user of a proof. Raises insufficient_privilege for a proof that does not hold, and for one of '
  'another caller than the named issuer, subject and organisation; refuses a caller who is not admitted at this moment '
  '(identity.expect_admitted). audit.record_requests calls it for each row, so that what is disabled acts no more.';

CREATE OR REPLACE FUNCTION identity.resolve(issuer_url text, token_subject text, organization text)
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
    LEFT JOIN identity.organizations o
           ON o.issuer_id = i.issuer_id AND o.organization_id = organization AND o.disabled_at IS NULL
    JOIN identity.tenants t ON t.tenant_id = coalesce(i.tenant_id, o.tenant_id)
    LEFT JOIN identity.subjects s
           ON s.tenant_id = t.tenant_id AND s.issuer_id = i.issuer_id AND s.subject = token_subject
    LEFT JOIN identity.users u ON u.tenant_id = s.tenant_id AND u.user_id = s.user_id
   WHERE i.url = issuer_url
$$;
COMMENT ON FUNCTION identity.resolve IS
  'Returns for whom a verified token speaks: tenant, user, names of roles and rules. No row means that no tenant is '
  'served by the issuer and organisation; a row without user_id means that the subject is not enrolled. '
  'identity.resolve_caller calls it.';

CREATE OR REPLACE FUNCTION identity.resolve_caller(issuer_url text, token_subject text, organization text)
RETURNS TABLE (tenant_id uuid, tenant_kind text, user_id uuid, username text, roles text[], permissions jsonb,
               proof text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;
COMMENT ON FUNCTION identity.resolve_caller IS
  'Returns what identity.resolve returns, with a proof of the caller if the subject is enrolled. Refuses a caller who is '
  'not admitted, as identity.expect_admitted does. Every service calls it for the caller of a request.';

CREATE OR REPLACE FUNCTION identity.known_issuers()
RETURNS TABLE (url text, audience text, organization_claim text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT i.url, i.audience, i.organization_claim FROM identity.issuers i WHERE i.disabled_at IS NULL $$;
COMMENT ON FUNCTION identity.known_issuers IS
  'Returns the issuers whose keys may be fetched, with their audience and the claim that names a tenant; a disabled '
  'issuer is none of them. Every service asks it to check tokens.';

CREATE OR REPLACE FUNCTION identity.issuer_serving(issuer_url text) RETURNS uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;
COMMENT ON FUNCTION identity.issuer_serving IS
  'Returns the issuer of that URL that serves the entered tenant or, without a URL, the only one that does; one that is '
  'disabled does not. Refuses with INVALID_BODY if there is not exactly one. identity.create_user calls it.';

CREATE OR REPLACE FUNCTION identity.can_sign_in(usr uuid) RETURNS boolean
LANGUAGE sql STABLE
AS $$
  SELECT EXISTS (
    SELECT FROM identity.subjects s JOIN identity.issuers i USING (issuer_id)
      JOIN identity.users u ON u.tenant_id = s.tenant_id AND u.user_id = s.user_id
     WHERE s.tenant_id = tenancy.tenant_id() AND s.user_id = usr AND u.disabled_at IS NULL AND i.disabled_at IS NULL
       AND (i.tenant_id = tenancy.tenant_id() OR EXISTS (
             SELECT FROM identity.organizations o
              WHERE o.issuer_id = i.issuer_id AND o.tenant_id = tenancy.tenant_id() AND o.disabled_at IS NULL)))
$$;
COMMENT ON FUNCTION identity.can_sign_in IS
  'Returns whether a user of the entered tenant is not disabled and has a subject of an issuer that serves the tenant. '
  'identity.expect_grantor calls it.';

CREATE FUNCTION identity.expect_grantor() RETURNS void
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM identity.user_roles ur JOIN identity.role_permissions p USING (tenant_id, role_id)
     WHERE ur.tenant_id = tenancy.tenant_id() AND identity.permits(p, 'POST', '/v1/users/{user_id}/roles')
       AND identity.can_sign_in(ur.user_id)) THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, 'Nobody who can sign in could grant roles any more.');
  END IF;
END
$$;
COMMENT ON FUNCTION identity.expect_grantor IS
  'Refuses with CONFLICT if no user of the entered tenant who can sign in may grant roles. identity.revoke_role and '
  'identity.set_user_disabled call it after their change, under the lock of the tenant''s roles.';

CREATE OR REPLACE FUNCTION identity.revoke_role(tenant uuid, usr uuid, role uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.lock_roles();
  DELETE FROM identity.user_roles ur WHERE ur.tenant_id = tenancy.tenant_id() AND ur.user_id = usr AND ur.role_id = role;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM identity.expect_grantor();
  RETURN true;
END
$$;
COMMENT ON FUNCTION identity.revoke_role IS
  'Takes a role from a user of the entered tenant; returns false if the user does not hold it. Refuses with CONFLICT if '
  'nobody who can sign in could grant roles afterwards. The platform service calls it.';

CREATE FUNCTION identity.set_user_disabled(tenant uuid, usr uuid, disable boolean)
RETURNS TABLE (tenant_id uuid, user_id uuid, username text, disabled_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;
COMMENT ON FUNCTION identity.set_user_disabled IS
  'Disables or enables a user of the entered tenant and returns it; a user who is disabled already keeps the time. '
  'Refuses with NOT_FOUND, and with CONFLICT if nobody who can sign in could grant roles afterwards. The platform '
  'service calls it for PATCH /v1/users/{user_id}/status.';

CREATE FUNCTION identity.page_tenant_users(tenant uuid, after_name text, after_id uuid, page int)
RETURNS TABLE (tenant_id uuid, user_id uuid, username text, disabled_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.tenant_id, e.user_id, e.username, e.disabled_at FROM identity.users e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.username, e.user_id) > ($2, $3)' ELSE '' END,
    'e.username, e.user_id', '$4')
    USING tenancy.tenant_id(), after_name, after_id, page;
END
$$;
COMMENT ON FUNCTION identity.page_tenant_users IS
  'Returns one page of the visible users by name, after the given place, with when each was disabled. The platform '
  'service calls it for GET /v1/users.';
COMMENT ON FUNCTION identity.page_users IS
  'Returns one page of the visible users by name, after the given place. It serves only a release from before 0065.';

REVOKE ALL ON FUNCTION identity.is_open(uuid), identity.expect_open(uuid), identity.open_tenant(),
  identity.expect_admitted(uuid, uuid, text, text), identity.expect_grantor(),
  identity.set_user_disabled(uuid, uuid, boolean), identity.page_tenant_users(uuid, text, uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.set_user_disabled(uuid, uuid, boolean),
  identity.page_tenant_users(uuid, text, uuid, int) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.is_open(uuid) TO plat_environments_owner;
-- Whoever enters a tenant asks it, as it asks identity.entered_tenant.
GRANT EXECUTE ON FUNCTION identity.open_tenant()
   TO plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform, plat_operations, plat_reviews_owner,
      plat_builds_owner, plat_releases_owner, plat_audit_owner, plat_environments_owner;

RESET ROLE;

CREATE OR REPLACE FUNCTION tenancy.enter_as(proof text, read_across boolean) RETURNS uuid
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  PERFORM set_config('plat.proof', proof, true),
          set_config('plat.across', CASE WHEN read_across THEN 'on' ELSE '' END, true);
  RETURN identity.open_tenant();
END
$$;
COMMENT ON FUNCTION tenancy.enter_as IS
  'Enters the tenant of a proof for the rest of the transaction and returns the tenant, so that a statement can make its '
  'work depend on having entered. Raises insufficient_privilege for a proof that identity has not sealed or that has '
  'ended, and refuses a tenant that is not served, as identity.expect_open does; an empty proof enters nothing. Every '
  'transaction of a service for a tenant begins with it.';

SET ROLE plat_environments_owner;

CREATE OR REPLACE FUNCTION environments.claim_deletion(lease uuid, lease_seconds int) RETURNS SETOF environments.deletions
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE environments.deletions d
     SET lease_id = lease, attempts = d.attempts + 1,
         due_at = clock_timestamp() + make_interval(secs => lease_seconds)
   WHERE (d.tenant_id, d.environment_id) = (
     SELECT c.tenant_id, c.environment_id FROM environments.deletions c
      WHERE c.due_at <= clock_timestamp() AND identity.is_open(c.tenant_id)
      ORDER BY c.due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING d.*
$$;
COMMENT ON FUNCTION environments.claim_deletion IS
  'Takes the oldest due job of any tenant that is served under a new lease and returns it; no row if none is due. A job '
  'whose worker dies is due again when its lease ends. It sees jobs only while no tenant is entered; '
  'environments.claim_deletion_job calls it.';

RESET ROLE;
