-- Partitions are made a year ahead by the services' own clockwork, not by a deploy alone: audit.make_partitions and
-- builds.make_partitions, which the audit and the builds service call each day.
-- Guarantees: whoever makes a partition holds the parent, so that one does while the others find it made; nothing that
-- writes ever waits for it, and what reads every partition waits half a second at most.
-- On a live table: functions only; runs in milliseconds.

-- As before (0001), but a partition is made beside its parent and attached: that stops no writer, where CREATE TABLE ...
-- PARTITION OF stops everybody for as long as a reader of any partition runs.
CREATE OR REPLACE PROCEDURE tenancy.make_partitions(parent regclass, first_day date, months int)
LANGUAGE plpgsql
AS $$
DECLARE
  by_id  boolean := pg_get_partkeydef(parent) ~ '_id\)$' ;
  schema name := (SELECT relnamespace::regnamespace::name FROM pg_class WHERE oid = parent);
  stem   name := (SELECT relname FROM pg_class WHERE oid = parent);
  owner_role name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = parent);
  month  timestamptz;
  part   text;
BEGIN
  FOR month IN SELECT generate_series(date_trunc('month', first_day::timestamp) AT TIME ZONE 'UTC',
                                      (date_trunc('month', first_day::timestamp) + make_interval(months => months - 1))
                                        AT TIME ZONE 'UTC', interval '1 month')
  LOOP
    part := format('%I.%I', schema, stem || to_char(month AT TIME ZONE 'UTC', '_YYYY_MM'));
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
    -- Somebody else may have made it while this waited.
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', part, parent);
      EXECUTE format('ALTER TABLE %s OWNER TO %I', part, owner_role);
      CALL tenancy.lock_partition(part::regclass);
      EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, part,
        CASE WHEN by_id THEN tenancy.first_id(month)::text ELSE month::text END,
        CASE WHEN by_id THEN tenancy.first_id(month + interval '1 month')::text
             ELSE (month + interval '1 month')::text END);
    EXCEPTION WHEN check_violation THEN
      RAISE NOTICE 'the default partition already holds rows of %', part;
    END;
  END LOOP;
END
$$;
GRANT EXECUTE ON PROCEDURE tenancy.make_partitions(regclass, date, int), tenancy.lock_partition(regclass)
   TO plat_audit_owner, plat_builds_owner;

SET ROLE plat_audit_owner;

-- Makes the partitions of the year from this month that are missing. It answers whether they are there now: not while
-- somebody reads them all, or makes them.
CREATE FUNCTION audit.make_partitions() RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms'
AS $$
BEGIN
  CALL tenancy.make_partitions('audit.audit_events', (now() AT TIME ZONE 'UTC')::date, 12);
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END
$$;
REVOKE ALL ON FUNCTION audit.make_partitions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit.make_partitions() TO plat_audit;
RESET ROLE;

SET ROLE plat_builds_owner;

-- As audit.make_partitions.
CREATE FUNCTION builds.make_partitions() RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms'
AS $$
BEGIN
  CALL tenancy.make_partitions('builds.builds', (now() AT TIME ZONE 'UTC')::date, 12);
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END
$$;
REVOKE ALL ON FUNCTION builds.make_partitions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.make_partitions() TO plat_builds;
RESET ROLE;
