CREATE OR REPLACE FUNCTION figures.deletions() RETURNS TABLE(running bigint, blocked bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(*) FILTER (WHERE e.status = 'deleting'), count(*) FILTER (WHERE e.status = 'deletion-blocked')
    FROM environments.environments e WHERE e.status IN ('deleting', 'deletion-blocked')
$$;
COMMENT ON FUNCTION figures.deletions IS
  'Returns, over all tenants, how many environments are being deleted, and how many have a blocked deletion. The '
  'platform service shows it at /metrics.';
REVOKE ALL ON FUNCTION figures.deletions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION figures.deletions TO plat_platform;
