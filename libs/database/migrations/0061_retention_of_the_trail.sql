-- The trail is pruned by whole partitions, the oldest first, each after an export of it has been verified.
-- Guarantees: nothing is pruned by itself. The functions here say which partitions may go and drop them, whatever the
-- command that calls them believes: no partition is dropped while it is attached, while a hold covers it, or unless its
-- rows are exactly those that were exported, by their number and by a digest of every row. No service may call them.
-- What was pruned stays known, with the SHA-256 of its export.
-- On a live table: two small tables and functions only; runs in milliseconds. The release before is not concerned.

SET ROLE plat_audit_owner;

CREATE TABLE audit.holds (
  hold_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  covers     tstzrange NOT NULL CHECK (NOT isempty(covers)),
  -- 'infinity' as long as the row is there
  kept_until timestamptz NOT NULL,
  reason     text NOT NULL CHECK (reason <> '')
);
COMMENT ON TABLE audit.holds IS
  'One row a stretch of time whose rows of the trail are not pruned before kept_until, whatever period an operator '
  'names. The owner of the database writes it; audit.prunable_partitions and audit.drop_partition obey it. It has no '
  'rows of tenants.';

CREATE TABLE audit.pruned_partitions (
  -- The name of the export, without an extension
  export      text PRIMARY KEY CHECK (export ~ '^[a-z0-9_]{1,80}$'),
  partition   text NOT NULL,
  covers      tstzrange NOT NULL,
  rows        bigint NOT NULL CHECK (rows >= 0),
  -- The sum of audit.line_digest over all lines
  digest      numeric NOT NULL,
  -- Of the lines, uncompressed, in hex
  sha256      text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  exported_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  dropped_at  timestamptz
);
COMMENT ON TABLE audit.pruned_partitions IS
  'One row a partition of the trail that has been exported to be pruned, with what its export holds; dropped_at is NULL '
  'until it is dropped. Rows are kept, so that an export can be checked against them later. It has no rows of tenants.';
CREATE UNIQUE INDEX pruned_partitions_under_way ON audit.pruned_partitions (partition) WHERE dropped_at IS NULL;
GRANT SELECT ON audit.pruned_partitions TO plat_inspector;

CREATE FUNCTION audit.line_digest(line text) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || left(encode(sha256(convert_to(line, 'UTF8')), 'hex'), 16))::bit(64)::bigint::numeric;
COMMENT ON FUNCTION audit.line_digest IS
  'Returns the first eight bytes of the SHA-256 of a line as a signed number. Their sum distinguishes two sets of rows in '
  'any order. audit.drop_partition sums it, and so does who reads an export back.';
REVOKE ALL ON FUNCTION audit.line_digest(text) FROM PUBLIC;

CREATE FUNCTION audit.partitions() RETURNS TABLE(partition text, covers tstzrange, state text, written boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
  WITH attached AS (
    SELECT c.oid, c.relname::text AS name, i.inhdetachpending AS pending,
           regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((.*)\) TO \(''(.*)''\)') AS bounds
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'audit.audit_events'::regclass),
  bounded AS (
    SELECT a.oid, a.name, CASE WHEN a.pending THEN 'detaching' ELSE 'attached' END AS state,
           tstzrange(CASE WHEN a.bounds[1] <> 'MINVALUE' THEN btrim(a.bounds[1], '''')::timestamptz END,
                     a.bounds[2]::timestamptz) AS covers
      FROM attached a
    UNION ALL
    -- A detached partition has no bounds; its name has the month. The one of all time before ends where the rest begins.
    SELECT c.oid, c.relname::text, 'detached',
           CASE WHEN c.relname = 'audit_events_early'
             THEN coalesce((SELECT p.covers FROM audit.pruned_partitions p
                             WHERE p.partition = c.relname AND p.dropped_at IS NULL),
                           tstzrange(NULL, (SELECT min(btrim(a.bounds[1], '''')::timestamptz) FROM attached a
                                             WHERE a.bounds[1] <> 'MINVALUE')))
             ELSE tstzrange(to_date(right(c.relname, 7), 'YYYY_MM')::timestamp AT TIME ZONE 'UTC',
                            (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC') END
      FROM pg_class c
     WHERE c.relnamespace = 'audit'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
       AND c.relname ~ '^audit_events_([0-9]{4}_[0-9]{2}|early)$')
  SELECT b.name, b.covers, b.state, pg_relation_size(b.oid) > 0 FROM bounded b ORDER BY upper(b.covers)
$$;
COMMENT ON FUNCTION audit.partitions IS
  'Returns the partitions of the trail, oldest first, with the time that each covers and its state: attached, detaching '
  'or detached, the last two if a prune was interrupted. A partition that was never written has no rows. '
  'audit.prunable_partitions and audit.drop_partition ask it.';
REVOKE ALL ON FUNCTION audit.partitions() FROM PUBLIC;

CREATE FUNCTION audit.hold_on(stretch tstzrange) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
  SELECT format('held until %s: %s',
                CASE WHEN h.kept_until = 'infinity' THEN 'the hold is taken away'
                     ELSE to_char(h.kept_until, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') END, h.reason)
    FROM audit.holds h WHERE h.covers && stretch AND h.kept_until > now() ORDER BY h.kept_until DESC, h.hold_id LIMIT 1
$$;
COMMENT ON FUNCTION audit.hold_on IS
  'Returns why rows of a stretch of time must be kept, in words for a person, or NULL. audit.prunable_partitions and '
  'audit.drop_partition ask it.';
REVOKE ALL ON FUNCTION audit.hold_on(tstzrange) FROM PUBLIC;

CREATE FUNCTION audit.prunable_partitions(before timestamptz)
RETURNS TABLE(partition text, covers tstzrange, state text, written boolean, export text, obstacle text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- A transaction may still be writing rows of the last hours.
  IF before > now() - interval '1 day' THEN
    RAISE invalid_parameter_value USING MESSAGE = 'rows of the trail are kept for a day at least';
  END IF;
  RETURN QUERY
    WITH past AS (
      SELECT p.*, CASE WHEN p.written THEN audit.hold_on(p.covers) END AS held
        FROM audit.partitions() p WHERE upper(p.covers) <= before)
    SELECT o.partition, o.covers, o.state, o.written,
           coalesce(
             (SELECT l.export FROM audit.pruned_partitions l WHERE l.partition = o.partition AND l.dropped_at IS NULL),
             n.name || coalesce((SELECT '_' || count(*) + 1 FROM audit.pruned_partitions l
                                  WHERE l.dropped_at IS NOT NULL AND (l.export = n.name OR l.export LIKE n.name || '\_%')
                                 HAVING count(*) > 0), '')),
           coalesce(o.held, CASE WHEN bool_or(o.held IS NOT NULL) OVER (ORDER BY upper(o.covers))
                              THEN 'a partition before it is kept' END)
      FROM past o
     CROSS JOIN LATERAL (
       SELECT CASE WHEN o.partition = 'audit_events_early'
                THEN 'audit_events_before' || to_char(upper(o.covers) AT TIME ZONE 'UTC', '_YYYY_MM')
                ELSE o.partition END AS name) AS n
     ORDER BY upper(o.covers);
END
$$;
COMMENT ON FUNCTION audit.prunable_partitions IS
  'Returns the partitions of the trail that end at a moment or before it, oldest first, with the name that the export of '
  'each has, and with the obstacle to pruning it: a hold on its rows, or that an older partition is kept; NULL if it may '
  'go. Refuses a moment within the last day with invalid_parameter_value. npm run db -- prune calls it.';
REVOKE ALL ON FUNCTION audit.prunable_partitions(timestamptz) FROM PUBLIC;

CREATE FUNCTION audit.record_export(partition_name text, export_name text, stretch tstzrange, row_count bigint,
                                    rows_digest numeric, lines_sha256 text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO audit.pruned_partitions AS p (export, partition, covers, rows, digest, sha256)
  VALUES (export_name, partition_name, stretch, row_count, rows_digest, lines_sha256)
  ON CONFLICT (partition) WHERE dropped_at IS NULL
  DO UPDATE SET rows = excluded.rows, digest = excluded.digest, sha256 = excluded.sha256, exported_at = clock_timestamp()
$$;
COMMENT ON FUNCTION audit.record_export IS
  'Records what the verified export of a partition holds; audit.drop_partition holds the rows against it. It may be '
  'called again until the partition is dropped. npm run db -- prune calls it.';
REVOKE ALL ON FUNCTION audit.record_export(text, text, tstzrange, bigint, numeric, text) FROM PUBLIC;

CREATE FUNCTION audit.drop_partition(partition_name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
DECLARE
  present  record;
  exported audit.pruned_partitions;
  found_rows   bigint;
  found_digest numeric;
BEGIN
  SELECT * INTO present FROM audit.partitions() p WHERE p.partition = partition_name;
  IF NOT FOUND OR present.state <> 'detached' THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('audit.%I is no detached partition', partition_name);
  END IF;
  -- From here on nobody reads or writes it, and its owner sees every row.
  EXECUTE format('ALTER TABLE audit.%I NO FORCE ROW LEVEL SECURITY', partition_name);
  EXECUTE format('SELECT count(*), coalesce(sum(audit.line_digest(to_jsonb(e)::text)), 0) FROM audit.%I e', partition_name)
    INTO found_rows, found_digest;
  IF found_rows > 0 AND audit.hold_on(present.covers) IS NOT NULL THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('audit.%I is %s', partition_name, audit.hold_on(present.covers));
  END IF;
  SELECT * INTO exported FROM audit.pruned_partitions p
   WHERE p.partition = partition_name AND p.dropped_at IS NULL FOR UPDATE;
  IF NOT FOUND AND found_rows > 0 THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('audit.%I has not been exported', partition_name);
  END IF;
  IF found_rows > 0 AND (exported.rows, exported.digest) IS DISTINCT FROM (found_rows, found_digest) THEN
    RAISE integrity_constraint_violation
      USING MESSAGE = format('audit.%I has %s rows that are not the %s of its export', partition_name, found_rows, exported.rows);
  END IF;
  EXECUTE format('DROP TABLE audit.%I', partition_name);
  UPDATE audit.pruned_partitions p SET dropped_at = clock_timestamp()
   WHERE p.partition = partition_name AND p.dropped_at IS NULL;
END
$$;
COMMENT ON FUNCTION audit.drop_partition IS
  'Drops a detached partition of the trail. Raises object_not_in_prerequisite_state if it is attached, held or has rows '
  'and no recorded export, and integrity_constraint_violation if its rows are not those of the export. npm run db -- '
  'prune calls it.';
REVOKE ALL ON FUNCTION audit.drop_partition(text) FROM PUBLIC;

CREATE FUNCTION audit.make_early_partition() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
DECLARE
  first_moment timestamptz := (SELECT min(lower(p.covers)) FROM audit.partitions() p
                                WHERE p.state = 'attached' AND lower(p.covers) IS NOT NULL);
BEGIN
  IF EXISTS (SELECT FROM audit.partitions() p WHERE p.partition = 'audit_events_early') THEN
    RETURN;
  END IF;
  CREATE TABLE audit.audit_events_early (LIKE audit.audit_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE);
  ALTER TABLE audit.audit_events_early OWNER TO plat_audit_owner;
  COMMENT ON TABLE audit.audit_events_early IS
    'The rows from before the first month of the trail: of tenants that have moved here, or of a wrong clock.';
  CALL tenancy.lock_partition('audit.audit_events_early');
  EXECUTE format('ALTER TABLE audit.audit_events ATTACH PARTITION audit.audit_events_early FOR VALUES FROM (MINVALUE) TO (%L)',
                 first_moment);
END
$$;
COMMENT ON FUNCTION audit.make_early_partition IS
  'Makes the partition of all time before the first month of the trail, if there is none: a tenant that moves here brings '
  'its old rows along. npm run db -- prune calls it after it has dropped months.';
REVOKE ALL ON FUNCTION audit.make_early_partition() FROM PUBLIC;

RESET ROLE;
