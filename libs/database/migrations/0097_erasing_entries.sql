-- What erases the fields of entries.
-- Guarantees: erasing leaves every entry and every proof as it was, and adds an entry that names the erased ones. A month of the
-- trail is not pruned before its rows are sealed.
-- Functions only; runs in milliseconds.

GRANT CREATE ON SCHEMA ledger TO plat_ledger_sealer;
SET ROLE plat_ledger_sealer;

CREATE FUNCTION ledger.lock_log(tenant uuid) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE;
  IF NOT FOUND THEN
    -- A sealer may be adding it. This waits for those that are at work, and later ones wait until the transaction ends.
    LOCK TABLE ledger.logs IN SHARE MODE;
    PERFORM FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE;
  END IF;
END
$$;
COMMENT ON FUNCTION ledger.lock_log IS
  'Waits for the lock of a tenant''s log, and holds it until the transaction ends, also if there is no log yet. What erases '
  'calls it.';

CREATE FUNCTION ledger.erase_user(tenant uuid, usr uuid) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  erased int8multirange;
BEGIN
  -- Waits for a sealer, so that no row is sealed as it was while its fields are removed.
  PERFORM ledger.lock_log(tenant);
  UPDATE audit.audit_events e
     SET external_user_id = 'erased', caller_request_id = NULL, api_parameters = NULL, mcp_tool_parameters = NULL,
         cli_parameters = NULL
   WHERE e.tenant_id = tenant AND e.erun_user_id = usr AND e.external_user_id <> 'erased';
  WITH gone AS (
    UPDATE ledger.entries x SET open_salt = NULL, closed_salt = NULL
      FROM audit.audit_events e
     WHERE e.tenant_id = tenant AND e.erun_user_id = usr AND x.tenant_id = e.tenant_id AND x.kind = 'audit'
       AND x.id = e.audit_event_id AND x.part = 0 AND x.open_salt IS NOT NULL
       AND x.open <> ledger.open_of(e, x.open_salt)
    RETURNING x.leaf_index)
  SELECT range_agg(int8range(g.leaf_index, g.leaf_index + 1)) INTO erased FROM gone g;
  IF erased IS NULL THEN
    RETURN 0;
  END IF;
  INSERT INTO ledger.erasures (tenant_id, erasure_id, reason, entries) VALUES (tenant, gen_random_uuid(), 'person', erased);
  RETURN (SELECT sum(upper(r) - lower(r)) FROM unnest(erased) AS r);
END
$$;
COMMENT ON FUNCTION ledger.erase_user IS
  'Erases a user''s subject and arguments from the rows of the trail, and the salts of the entries of these rows, and returns how '
  'many entries that were. The user''s id stays. npm run db -- erase-user calls it.';

CREATE FUNCTION ledger.note_pruned(stretch tstzrange) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  gone record;
BEGIN
  FOR gone IN SELECT x.tenant_id, range_agg(int8range(x.leaf_index, x.leaf_index + 1)) AS entries
                FROM ledger.entries x WHERE x.kind = 'audit' AND x.at <@ stretch AND x.open_salt IS NOT NULL
               GROUP BY x.tenant_id ORDER BY x.tenant_id
  LOOP
    PERFORM ledger.lock_log(gone.tenant_id);
    UPDATE ledger.entries x SET open_salt = NULL, closed_salt = NULL
     WHERE x.tenant_id = gone.tenant_id AND x.kind = 'audit' AND x.leaf_index <@ gone.entries AND x.open_salt IS NOT NULL;
    INSERT INTO ledger.erasures (tenant_id, erasure_id, reason, entries)
    VALUES (gone.tenant_id, gen_random_uuid(), 'retention', gone.entries);
  END LOOP;
END
$$;
COMMENT ON FUNCTION ledger.note_pruned IS
  'Removes the salts of the entries whose rows of the trail are pruned, and adds an erasure for each log. audit.drop_partition '
  'calls it in the transaction that drops the rows.';

CREATE FUNCTION ledger.unsealed_before(moment timestamptz) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(*) FROM ledger.logs l WHERE l.rescanned_at < moment OR l.cluster <> (SELECT ledger.cluster())
$$;
COMMENT ON FUNCTION ledger.unsealed_before IS
  'Returns how many logs may lack rows of the trail from before a moment, because they are catching up. audit.drop_partition '
  'refuses to drop rows while it is not 0.';

REVOKE ALL ON FUNCTION ledger.lock_log(uuid), ledger.erase_user(uuid, uuid), ledger.note_pruned(tstzrange),
  ledger.unsealed_before(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.note_pruned(tstzrange), ledger.unsealed_before(timestamptz) TO plat_audit_owner;
RESET ROLE;
REVOKE CREATE ON SCHEMA ledger FROM plat_ledger_sealer;
GRANT USAGE ON SCHEMA ledger TO plat_audit_owner;

SET ROLE plat_audit_owner;
-- As before (0061), after the entries of its rows have been marked.
CREATE OR REPLACE FUNCTION audit.drop_partition(partition_name text) RETURNS void
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
  IF found_rows > 0 AND ledger.unsealed_before(upper(present.covers)) > 0 THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('audit.%I may have rows that are not sealed yet: a log is catching up', partition_name);
  END IF;
  PERFORM ledger.note_pruned(present.covers);
  EXECUTE format('DROP TABLE audit.%I', partition_name);
  UPDATE audit.pruned_partitions p SET dropped_at = clock_timestamp()
   WHERE p.partition = partition_name AND p.dropped_at IS NULL;
END
$$;
COMMENT ON FUNCTION audit.drop_partition IS
  'Drops a detached partition of the trail, and notes in the sealed logs that its rows were pruned. Raises '
  'object_not_in_prerequisite_state if it is attached, held, has rows and no recorded export, or rows that may not be sealed '
  'yet, and integrity_constraint_violation if its rows are not those of the export. npm run db -- prune calls it.';
RESET ROLE;
