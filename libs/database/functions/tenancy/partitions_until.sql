CREATE OR REPLACE FUNCTION tenancy.partitions_until(parent regclass) RETURNS timestamptz
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  stem  text := (SELECT format('%s.%s', relnamespace::regnamespace, relname) FROM pg_class WHERE oid = parent);
  month timestamp := date_trunc('month', now() AT TIME ZONE INTERVAL '0');
BEGIN
  WHILE EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = parent AND NOT i.inhdetachpending
                   AND i.inhrelid = to_regclass(stem || to_char(month, '_YYYY_MM')))
  LOOP
    month := month + interval '1 month';
  END LOOP;
  RETURN month AT TIME ZONE INTERVAL '0';
END
$$;
COMMENT ON FUNCTION tenancy.partitions_until IS
  'Returns the end of the months, from the present one on, that have partitions without a gap. Rows of that time or '
  'later are refused. If the present month has no partition, it returns the beginning of that month. '
  'audit.partitions_until and builds.partitions_until call it.';
REVOKE ALL ON FUNCTION tenancy.partitions_until FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.partitions_until TO plat_audit_owner, plat_builds_owner;
