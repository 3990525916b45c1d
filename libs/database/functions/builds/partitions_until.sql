CREATE OR REPLACE FUNCTION builds.partitions_until() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT tenancy.partitions_until('builds.builds') $$;
COMMENT ON FUNCTION builds.partitions_until IS
  'Returns the moment until which builds.builds has a partition for each month. The builds service calls it for the '
  'gauge plat_partitions_months_ahead.';
REVOKE ALL ON FUNCTION builds.partitions_until FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.partitions_until TO plat_builds;
