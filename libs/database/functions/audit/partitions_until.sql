CREATE OR REPLACE FUNCTION audit.partitions_until() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT tenancy.partitions_until('audit.audit_events') $$;
COMMENT ON FUNCTION audit.partitions_until IS
  'Returns the moment until which audit.audit_events has a partition for each month. The audit service calls it for '
  'the gauge plat_partitions_months_ahead.';
REVOKE ALL ON FUNCTION audit.partitions_until FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit.partitions_until TO plat_audit;
