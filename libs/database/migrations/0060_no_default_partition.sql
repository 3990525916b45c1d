-- Neither partitioned table has a default partition, which PostgreSQL refuses to DETACH ... CONCURRENTLY beside: so that
-- retention can take a month away while others read and write.
-- Guarantees: no row is lost or changed. The default partition becomes the partition of all time before the first month
-- (audit_events_early, builds_early); a row of it that belongs to a later month moves there, in the same transaction. A row
-- for which no month has been made is refused from now on: a request without an audit row is answered 503. The months
-- are made a year ahead by this file, by each later run of the database job and by the services.
-- On a live table: both tables are locked for milliseconds if their default partition is empty, which it is unless the
-- months have not been made; else for as long as moving its rows takes. Foreign keys that refer to builds are then made
-- again as NOT VALID, and validated after the migrations, which blocks nobody. The release before works on: it makes months
-- by the same functions.

-- As before (0026), but without a default partition that could hold rows of a month: a failure is one.
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
BEGIN
  FOR step IN 0 .. months - 1
  LOOP
    -- Reckoned without a time zone: a session's zone may skip or repeat an hour, or a day, where a month begins.
    month := (date_trunc('month', first_day::timestamp) + make_interval(months => step)) AT TIME ZONE 'UTC';
    after := (date_trunc('month', first_day::timestamp) + make_interval(months => step + 1)) AT TIME ZONE 'UTC';
    part := format('%I.%I', schema, stem || to_char(month AT TIME ZONE 'UTC', '_YYYY_MM'));
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
    -- Somebody else may have made it while this waited.
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', part, parent);
    EXECUTE format('ALTER TABLE %s OWNER TO %I', part, owner_role);
    CALL tenancy.lock_partition(part::regclass);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, part,
      CASE WHEN by_id THEN tenancy.first_id(month)::text ELSE month::text END,
      CASE WHEN by_id THEN tenancy.first_id(after)::text ELSE after::text END);
  END LOOP;
END
$$;
COMMENT ON PROCEDURE tenancy.make_partitions IS
  'Makes the missing monthly partitions of a table, from the month of the first day on, in UTC. It makes each one aside '
  'and attaches it under the lock of the parent, which stops no writer of the table. The migration, '
  'audit.make_partitions and builds.make_partitions call it.';

CREATE FUNCTION tenancy.partitions_until(parent regclass) RETURNS timestamptz
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  stem  text := (SELECT format('%s.%s', relnamespace::regnamespace, relname) FROM pg_class WHERE oid = parent);
  month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
BEGIN
  WHILE EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = parent AND NOT i.inhdetachpending
                   AND i.inhrelid = to_regclass(stem || to_char(month, '_YYYY_MM')))
  LOOP
    month := month + interval '1 month';
  END LOOP;
  RETURN month AT TIME ZONE 'UTC';
END
$$;
COMMENT ON FUNCTION tenancy.partitions_until IS
  'Returns the end of the months, from the present one on, that have a partition without a gap: rows of that time or '
  'later are refused. It is the beginning of the present month if that has none. audit.partitions_until and '
  'builds.partitions_until call it.';
REVOKE ALL ON FUNCTION tenancy.partitions_until(regclass) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.partitions_until(regclass) TO plat_audit_owner, plat_builds_owner;

CREATE FUNCTION audit.partitions_until() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT tenancy.partitions_until('audit.audit_events') $$;
ALTER FUNCTION audit.partitions_until() OWNER TO plat_audit_owner;
COMMENT ON FUNCTION audit.partitions_until IS
  'Returns until when audit.audit_events has a partition for each month. The audit service calls it for the gauge '
  'plat_partitions_months_ahead.';
REVOKE ALL ON FUNCTION audit.partitions_until() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit.partitions_until() TO plat_audit;

CREATE FUNCTION builds.partitions_until() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT tenancy.partitions_until('builds.builds') $$;
ALTER FUNCTION builds.partitions_until() OWNER TO plat_builds_owner;
COMMENT ON FUNCTION builds.partitions_until IS
  'Returns until when builds.builds has a partition for each month. The builds service calls it for the gauge '
  'plat_partitions_months_ahead.';
REVOKE ALL ON FUNCTION builds.partitions_until() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.partitions_until() TO plat_builds;

-- Turns the default partition of a table into that of the time before its first month.
CREATE PROCEDURE pg_temp.end_default_partition(parent regclass, held regclass, renamed text)
LANGUAGE plpgsql
AS $$
DECLARE
  by_id     boolean := pg_get_partkeydef(parent) ~ '_id\)$' ;
  key_time  text := CASE WHEN by_id
    THEN $key$to_timestamp(('x' || left(replace(build_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)$key$
    ELSE 'created_at' END;
  key_name  text := CASE WHEN by_id THEN 'build_id' ELSE 'created_at' END;
  first_day date;
  bound     text;
  rows_held boolean;
  months    date[];
  reference record;
  remade    text[] := '{}';
BEGIN
  EXECUTE format('LOCK TABLE ONLY %s, ONLY %s IN ACCESS EXCLUSIVE MODE', parent, held);
  SELECT min(to_date(substring(c.relname FROM '\d{4}_\d\d$'), 'YYYY_MM')) INTO STRICT first_day
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = parent AND c.relname ~ '_\d{4}_\d\d$';
  bound := CASE WHEN by_id THEN tenancy.first_id(first_day::timestamp AT TIME ZONE 'UTC')::text
                ELSE (first_day::timestamp AT TIME ZONE 'UTC')::text END;
  -- The owner of the table reads its rows only while row-level security is not forced on it.
  EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', held);
  EXECUTE format('SELECT EXISTS (SELECT FROM %s)', held) INTO rows_held;
  IF rows_held THEN
    EXECUTE format('SELECT array_agg(DISTINCT date_trunc(''month'', %s AT TIME ZONE ''UTC'')::date) FROM %s WHERE %s >= %L',
                   key_time, held, key_name, bound) INTO months;
    IF cardinality(months) > 120 THEN
      RAISE EXCEPTION 'the default partition % has rows of % months, from % to %', held, cardinality(months),
        (SELECT min(m) FROM unnest(months) m), (SELECT max(m) FROM unnest(months) m)
        USING HINT = 'A clock must have been wrong. Move these rows elsewhere, and migrate again.';
    END IF;
    -- A partition to which rows refer is not detached.
    FOR reference IN SELECT conrelid::regclass AS name, conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
                      WHERE confrelid = parent AND contype = 'f' AND conparentid = 0
    LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', reference.name, reference.conname);
      remade := remade || format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', reference.name, reference.conname,
                                 reference.definition);
    END LOOP;
  END IF;
  EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, held);
  CALL tenancy.make_partitions(parent, (now() AT TIME ZONE 'UTC')::date, 12);
  IF rows_held THEN
    FOR step IN 1 .. coalesce(cardinality(months), 0) LOOP
      CALL tenancy.make_partitions(parent, months[step], 1);
    END LOOP;
    EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', parent);
    EXECUTE format('WITH moved AS (DELETE FROM %s WHERE %s >= %L RETURNING *) INSERT INTO %s SELECT * FROM moved',
                   held, key_name, bound, parent);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', parent);
  END IF;
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', held);
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L)', parent, held, bound);
  EXECUTE format('ALTER TABLE %s RENAME TO %I', held, renamed);
  FOR step IN 1 .. cardinality(remade) LOOP
    EXECUTE remade[step];
  END LOOP;
END
$$;
COMMENT ON PROCEDURE pg_temp.end_default_partition IS 'Serves this file alone.';
CALL pg_temp.end_default_partition('audit.audit_events', 'audit.audit_events_default', 'audit_events_early');
CALL pg_temp.end_default_partition('builds.builds', 'builds.builds_default', 'builds_early');
DROP PROCEDURE pg_temp.end_default_partition(regclass, regclass, text);

COMMENT ON TABLE audit.audit_events_early IS
  'The rows from before the first month of the trail. It was the default partition, and is empty unless a clock was wrong.';
COMMENT ON TABLE builds.builds_early IS
  'The builds from before the first month. It was the default partition, and is empty unless a clock was wrong.';
