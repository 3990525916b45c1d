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
COMMENT ON FUNCTION identity.create_role IS
  'Adds a role with its rules, a JSON array in the fields of the API, to the entered tenant and returns it. A name '
  'that is taken violates roles_tenant_id_name_key; refuses with CONFLICT beyond the caps. The platform service '
  'calls it for POST /v1/roles.';
REVOKE ALL ON FUNCTION identity.create_role FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.create_role TO plat_platform;
