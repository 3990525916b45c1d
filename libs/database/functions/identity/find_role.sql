CREATE OR REPLACE FUNCTION identity.find_role(tenant uuid, wanted uuid)
RETURNS TABLE (role_id uuid, name text, permissions jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.role_id, r.name, coalesce(rules.permissions, '[]')
    FROM identity.roles r
   CROSS JOIN LATERAL (
     SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
              'apiMethod', p.api_method, 'apiPath', p.api_path,
              'apiMethodPattern', p.api_method_pattern, 'apiPathPattern', p.api_path_pattern)) ORDER BY p.permission)
       FROM identity.role_permissions p
      WHERE p.tenant_id = r.tenant_id AND p.role_id = r.role_id) AS rules (permissions)
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) AND r.role_id = wanted
$$;
COMMENT ON FUNCTION identity.find_role IS
  'Returns a visible role with its rules, in the order in which they were given; no row if the role is not visible. '
  'The platform service calls it for GET /v1/roles/{role_id}.';
REVOKE ALL ON FUNCTION identity.find_role FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.find_role TO plat_platform;
