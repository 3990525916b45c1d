CREATE OR REPLACE FUNCTION audit.make_partitions() RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms'
AS $$
BEGIN
  CALL tenancy.make_partitions('audit.audit_events', (now() AT TIME ZONE INTERVAL '0')::date, 12);
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END
$$;
COMMENT ON FUNCTION audit.make_partitions IS
  'Makes the partitions of audit.audit_events for a year from this month, and returns true; returns false if it '
  'does not have a lock within half a second. The audit service calls it at its start and each day.';
REVOKE ALL ON FUNCTION audit.make_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit.make_partitions TO plat_audit;
