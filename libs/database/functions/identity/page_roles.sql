CREATE OR REPLACE FUNCTION identity.page_roles(tenant uuid, after_name text, after_id uuid, page int)
RETURNS TABLE (role_id uuid, name text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.expect_caller();
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.role_id, e.name FROM identity.roles e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.name, e.role_id) > ($2, $3)' ELSE '' END,
    'e.name, e.role_id', '$4')
    USING tenancy.tenant_id(), after_name, after_id, page;
END
$$;
COMMENT ON FUNCTION identity.page_roles IS
  'Returns one page of the visible roles by name, after the given place. The platform service calls it for GET '
  '/v1/roles.';
REVOKE ALL ON FUNCTION identity.page_roles FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.page_roles TO plat_platform;
