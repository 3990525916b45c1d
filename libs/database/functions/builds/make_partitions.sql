CREATE OR REPLACE FUNCTION builds.make_partitions() RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms'
AS $$
BEGIN
  CALL tenancy.make_partitions('builds.builds', (now() AT TIME ZONE INTERVAL '0')::date, 12);
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END
$$;
COMMENT ON FUNCTION builds.make_partitions IS
  'Makes the partitions of builds.builds for a year from this month, and returns true; returns false if it does not '
  'have a lock within half a second. The builds service calls it at its start and each day.';
REVOKE ALL ON FUNCTION builds.make_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.make_partitions TO plat_builds;
