CREATE OR REPLACE FUNCTION environments.page_environments(tenant uuid, after_name text, after_id uuid, page int)
RETURNS SETOF environments.environments
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.expect_caller();
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM environments.environments e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.name, e.environment_id) > ($2, $3)' ELSE '' END,
    'e.name, e.environment_id', '$4')
    USING tenant, after_name, after_id, page;
END
$$;
COMMENT ON FUNCTION environments.page_environments IS
  'Returns one page of the visible environments by name, after the given place. The platform service calls it for '
  'GET /v1/environments.';
REVOKE ALL ON FUNCTION environments.page_environments FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.page_environments TO plat_platform;
