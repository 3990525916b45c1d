CREATE OR REPLACE PROCEDURE tenancy.make_partitions(parent regclass, first_day date, months int)
LANGUAGE plpgsql
AS $$
DECLARE
  by_id  boolean := pg_get_partkeydef(parent) ~ '_id\)$' ;
  schema name := (SELECT relnamespace::regnamespace::name FROM pg_class WHERE oid = parent);
  stem   name := (SELECT relname FROM pg_class WHERE oid = parent);
  owner_role name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = parent);
  month  timestamptz;
  after  timestamptz;
  part   text;
  iso CONSTANT text := 'YYYY-MM-DD HH24:MI:SS"+00"';
BEGIN
  FOR step IN 0 .. months - 1
  LOOP
    -- The bounds are computed without a time zone: a session's zone may skip or repeat an hour, or a day, where a month begins.
    month := (date_trunc('month', first_day::timestamp) + make_interval(months => step)) AT TIME ZONE INTERVAL '0';
    after := (date_trunc('month', first_day::timestamp) + make_interval(months => step + 1)) AT TIME ZONE INTERVAL '0';
    part := format('%I.%I', schema, stem || to_char(month AT TIME ZONE INTERVAL '0', '_YYYY_MM'));
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
    -- Another transaction may have made it while this one waited.
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', part, parent);
    EXECUTE format('ALTER TABLE %s OWNER TO %I', part, owner_role);
    CALL tenancy.lock_partition(part::regclass);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, part,
      -- The bound is written with its offset. A session's DateStyle would write a zone's name, which may mean another moment.
      CASE WHEN by_id THEN tenancy.first_id(month)::text ELSE to_char(month AT TIME ZONE INTERVAL '0', iso) END,
      CASE WHEN by_id THEN tenancy.first_id(after)::text ELSE to_char(after AT TIME ZONE INTERVAL '0', iso) END);
  END LOOP;
END
$$;
COMMENT ON PROCEDURE tenancy.make_partitions IS
  'Makes the missing monthly partitions of a table, from the month of the first day on, in UTC. It makes each one '
  'aside and attaches it under the lock of the parent, which stops no writer of the table. The migration, '
  'audit.make_partitions and builds.make_partitions call it.';
REVOKE ALL ON PROCEDURE tenancy.make_partitions FROM PUBLIC;
GRANT EXECUTE ON PROCEDURE tenancy.make_partitions TO plat_audit_owner, plat_builds_owner;
