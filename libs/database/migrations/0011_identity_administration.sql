-- Users, roles and who holds which, as a tenant administers them itself.
-- Guarantees: every function touches rows of the tenant that the transaction has entered, whichever it is called for
-- (its `tenant` is what entering answers, and puts the call after it); the last user who could grant roles keeps doing
-- so, however many revocations run at once.
-- Runs in milliseconds; adds functions only.

SET ROLE plat_identity_owner;

-- The name of a tenant, of which its environments' namespaces and public names are made.
CREATE FUNCTION identity.tenant_name(tenant uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT t.name FROM identity.tenants t WHERE t.tenant_id = tenancy.tenant_id() AND t.tenant_id = tenant $$;

-- The users that the caller may see, by name.
CREATE FUNCTION identity.list_users(tenant uuid) RETURNS TABLE (tenant_id uuid, user_id uuid, username text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT u.tenant_id, u.user_id, u.username FROM identity.users u
   WHERE u.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) ORDER BY u.username, u.user_id
$$;

-- The issuer by which a user of the tenant signs in: the one named, or else the only one that serves the tenant.
CREATE FUNCTION identity.issuer_serving(issuer_url text) RETURNS uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

-- Enrols a user; with a subject the user can sign in. Unique constraints refuse a name or subject that is taken, the
-- foreign key a role that is not the tenant's.
CREATE FUNCTION identity.create_user(tenant uuid, usr uuid, named text, issuer_url text, token_subject text,
                                     role_ids uuid[])
RETURNS TABLE (tenant_id uuid, user_id uuid, username text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

-- The roles that the caller may see, by name.
CREATE FUNCTION identity.list_roles(tenant uuid) RETURNS TABLE (role_id uuid, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.role_id, r.name FROM identity.roles r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) ORDER BY r.name, r.role_id
$$;

-- `permissions` is a JSON array of rules in the fields of the contract.
CREATE FUNCTION identity.create_role(tenant uuid, role uuid, named text, permissions jsonb)
RETURNS TABLE (role_id uuid, name text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO identity.roles (tenant_id, role_id, name) VALUES (tenancy.tenant_id(), role, named);
  INSERT INTO identity.role_permissions
    (tenant_id, role_id, permission, api_method, api_path, api_method_pattern, api_path_pattern)
  SELECT tenancy.tenant_id(), role, p.place, p.rule ->> 'apiMethod', p.rule ->> 'apiPath', p.rule ->> 'apiMethodPattern',
         p.rule ->> 'apiPathPattern'
    FROM jsonb_array_elements(permissions) WITH ORDINALITY AS p (rule, place);
  RETURN QUERY SELECT role, named;
END
$$;

-- The roles that a user holds, by name.
CREATE FUNCTION identity.list_user_roles(tenant uuid, usr uuid) RETURNS TABLE (role_id uuid, name text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM identity.users u
                  WHERE u.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) AND u.user_id = usr) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such user.');
  END IF;
  RETURN QUERY
    SELECT r.role_id, r.name FROM identity.user_roles ur JOIN identity.roles r USING (tenant_id, role_id)
     WHERE ur.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) AND ur.user_id = usr ORDER BY r.name, r.role_id;
END
$$;

-- Keys refuse a user or role that is not the tenant's, and a role that is held already.
CREATE FUNCTION identity.grant_role(tenant uuid, usr uuid, role uuid) RETURNS TABLE (role_id uuid, name text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO identity.user_roles (tenant_id, user_id, role_id) VALUES (tenancy.tenant_id(), usr, role);
  RETURN QUERY SELECT r.role_id, r.name FROM identity.roles r WHERE r.tenant_id = tenancy.tenant_id() AND r.role_id = role;
END
$$;

-- Whether a rule permits the method on the template. A pattern holds for the whole text; its grammar
-- (permission-pattern.ts) means the same here as there.
CREATE FUNCTION identity.permits(rule identity.role_permissions, method text, template text) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN coalesce(rule.api_method = method AND rule.api_path = template,
                method ~ ('^(?:' || rule.api_method_pattern || ')$')
                  AND template ~ ('^(?:' || rule.api_path_pattern || ')$'));

-- Takes a role back; false when the user does not hold it. Refused when afterwards nobody who can sign in could grant
-- roles. Under the tenant's lock, since two revocations at once would each see the other's user still granting.
CREATE FUNCTION identity.revoke_role(tenant uuid, usr uuid, role uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

REVOKE ALL ON FUNCTION identity.tenant_name(uuid), identity.list_users(uuid), identity.issuer_serving(text),
  identity.create_user(uuid, uuid, text, text, text, uuid[]), identity.list_roles(uuid),
  identity.create_role(uuid, uuid, text, jsonb), identity.list_user_roles(uuid, uuid),
  identity.grant_role(uuid, uuid, uuid), identity.permits(identity.role_permissions, text, text),
  identity.revoke_role(uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.tenant_name(uuid) TO plat_platform, plat_environments_owner;
GRANT EXECUTE ON FUNCTION identity.create_user(uuid, uuid, text, text, text, uuid[]),
  identity.create_role(uuid, uuid, text, jsonb), identity.grant_role(uuid, uuid, uuid),
  identity.revoke_role(uuid, uuid, uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION identity.list_users(uuid), identity.list_roles(uuid), identity.list_user_roles(uuid, uuid)
   TO plat_platform, plat_operations;
RESET ROLE;
