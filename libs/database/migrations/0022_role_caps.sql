-- What a tenant's roles may cost: how many there are and how many rules they hold, for each tenant and each user. Every
-- request is judged by its caller's rules, and every revocation by the tenant's.
-- Guarantees: under the tenant's lock, so that no two changes pass a cap together. What is over a cap already stays, and
-- nothing is added to it. And the last who may grant roles must be able to sign in: by an issuer that serves the tenant.
-- Replaces functions; runs in milliseconds.

SET ROLE plat_identity_owner;

-- Takes the lock of the entered tenant's roles until the transaction ends.
CREATE FUNCTION identity.lock_roles() RETURNS void
LANGUAGE sql VOLATILE
AS $$ SELECT FROM identity.tenants t WHERE t.tenant_id = tenancy.tenant_id() FOR NO KEY UPDATE $$;

-- Refuses a change after which the tenant has more roles or rules than it may.
CREATE FUNCTION identity.expect_tenant_within_caps(tenant uuid) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
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
$$;

-- Refuses a change after which the user holds more roles or rules than one may.
CREATE FUNCTION identity.expect_user_within_caps(tenant uuid, usr uuid) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
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
$$;

-- As before (0011), within the caps.
CREATE OR REPLACE FUNCTION identity.create_role(tenant uuid, role uuid, named text, permissions jsonb)
RETURNS TABLE (role_id uuid, name text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

-- As before (0011), within the caps.
CREATE OR REPLACE FUNCTION identity.create_user(tenant uuid, usr uuid, named text, issuer_url text, token_subject text,
                                                role_ids uuid[])
RETURNS TABLE (tenant_id uuid, user_id uuid, username text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

-- As before (0011), within the caps.
CREATE OR REPLACE FUNCTION identity.grant_role(tenant uuid, usr uuid, role uuid)
RETURNS TABLE (role_id uuid, name text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.lock_roles();
  INSERT INTO identity.user_roles (tenant_id, user_id, role_id) VALUES (tenancy.tenant_id(), usr, role);
  PERFORM identity.expect_user_within_caps(tenancy.tenant_id(), usr);
  RETURN QUERY SELECT r.role_id, r.name FROM identity.roles r WHERE r.tenant_id = tenancy.tenant_id() AND r.role_id = role;
END
$$;

-- Whether a user of the entered tenant can sign in: by a subject of an issuer that serves the tenant today.
CREATE FUNCTION identity.can_sign_in(usr uuid) RETURNS boolean
LANGUAGE sql STABLE
AS $$
  SELECT EXISTS (
    SELECT FROM identity.subjects s JOIN identity.issuers i USING (issuer_id)
     WHERE s.tenant_id = tenancy.tenant_id() AND s.user_id = usr
       AND (i.tenant_id = tenancy.tenant_id() OR EXISTS (
             SELECT FROM identity.organizations o
              WHERE o.issuer_id = i.issuer_id AND o.tenant_id = tenancy.tenant_id())))
$$;

-- As before (0011), and a user who cannot sign in any more does not count.
CREATE OR REPLACE FUNCTION identity.revoke_role(tenant uuid, usr uuid, role uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

REVOKE ALL ON FUNCTION identity.lock_roles(), identity.expect_tenant_within_caps(uuid),
  identity.expect_user_within_caps(uuid, uuid), identity.can_sign_in(uuid) FROM PUBLIC;
RESET ROLE;
