-- What reads a tenant's sealed log, and what erases the fields of entries.
-- Guarantees: a caller reads the log of the tenant that it entered, up to the signed size, with the fields that other routes
-- show it and the salts of those alone. Erasing leaves every entry and every proof as it was, and adds an entry that names
-- the erased ones. A month of the trail is not pruned before its rows are sealed.
-- Functions only; runs in milliseconds.

SET ROLE plat_ledger_owner;

CREATE FUNCTION ledger.get_log(tenant uuid)
RETURNS TABLE(origin text, size text, note text, keys bytea[], sealed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT l.origin, l.note_size::text, l.note, l.keys, l.sealed_at FROM ledger.logs l
   WHERE l.tenant_id = tenant AND l.note IS NOT NULL
$$;
COMMENT ON FUNCTION ledger.get_log IS
  'Returns the log of the entered tenant as it is signed, and its keys, oldest first; no row before it is signed for the first '
  'time. The audit service calls it for the routes of the log.';

CREATE FUNCTION ledger.disclosed(x ledger.entries) RETURNS TABLE(fields text)
LANGUAGE sql STABLE
AS $$
  SELECT CASE
    WHEN (x).open_salt IS NULL THEN NULL
    WHEN (x).kind = 'audit' THEN (
      SELECT ledger.audit_fields(e.tenant_id, e.audit_event_id, e.erun_user_id, e.external_user_id, e.external_issuer_id,
               e.external_org_id, e.type, e.api_method, e.api_path, e.mcp_tool, e.cli_command, e.created_at)
        FROM audit.audit_events e
       WHERE e.tenant_id = (x).tenant_id AND e.created_at = (x).at AND e.audit_event_id = (x).id)
    WHEN (x).kind = 'landing' THEN (
      SELECT l.fields FROM ledger.landings((x).tenant_id) l WHERE l.review_id = (x).id AND l.part = (x).part)
    WHEN (x).kind = 'key' THEN ledger.key_fields((x).public_key)
    ELSE (
      SELECT ledger.erasure_fields(r.entries, r.reason) FROM ledger.erasures r
       WHERE r.tenant_id = (x).tenant_id AND r.erasure_id = (x).id)
  END
  -- Keeps the fields from being made once for each place that names them.
  OFFSET 0
$$;
COMMENT ON FUNCTION ledger.disclosed IS
  'Returns the fields that an entry commits to and that callers may see, as canonical JSON; NULL if they were erased or are '
  'gone. What reads entries calls it.';

CREATE FUNCTION ledger.page_entries(tenant uuid, first bigint, of_kind text, page int)
RETURNS TABLE(leaf_index text, leaf text, salt bytea, fields text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT x.leaf_index::text, ledger.leaf(x.kind, x.id, x.at, x.open, x.closed),
         CASE WHEN d.fields IS NOT NULL THEN x.open_salt END, d.fields
    FROM (SELECT n.* FROM ledger.entries n
           WHERE n.tenant_id = tenant AND n.leaf_index >= first
             AND n.leaf_index < (SELECT l.note_size FROM ledger.logs l WHERE l.tenant_id = tenant)
             AND (of_kind IS NULL OR n.kind = of_kind)
           ORDER BY n.leaf_index LIMIT page) AS x
   CROSS JOIN LATERAL ledger.disclosed(x::ledger.entries) AS d
   ORDER BY x.leaf_index
$$;
COMMENT ON FUNCTION ledger.page_entries IS
  'Returns entries of the entered tenant''s log from an index on, below the signed size, of one kind or of each, with the fields '
  'that callers may see and their salt; both NULL if they were erased. The audit service calls it for GET /v1/audit-log/entries.';

CREATE FUNCTION ledger.get_tile(tenant uuid, wanted_level int, wanted_index bigint) RETURNS TABLE(hashes bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.hashes FROM ledger.tiles t
   WHERE t.tenant_id = tenant AND t.level = wanted_level AND t.tile_index = wanted_index
$$;
COMMENT ON FUNCTION ledger.get_tile IS
  'Returns a tile of the entered tenant''s log, if it exists. The audit service calls it for GET /v1/audit-log/tile.';

CREATE FUNCTION ledger.tiles_on_path(tenant uuid, leaf bigint, tree_size bigint)
RETURNS TABLE(level smallint, tile_index text, hashes bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE up AS (
    SELECT 0::smallint AS level, leaf AS leaf, tree_size AS size
    UNION ALL
    SELECT (up.level + 1)::smallint, up.leaf / 256, up.size / 256 FROM up WHERE up.size >= 256)
  -- One look by key for each level: a join might read all tiles instead.
  SELECT found.* FROM up CROSS JOIN LATERAL (
    SELECT t.level, t.tile_index::text, t.hashes FROM ledger.tiles t
     WHERE t.tenant_id = tenant AND t.level = up.level AND t.tile_index IN (up.leaf / 256, up.size / 256)
    OFFSET 0) AS found
$$;
COMMENT ON FUNCTION ledger.tiles_on_path IS
  'Returns the tiles of the entered tenant''s log that a proof about an entry in a tree of a size needs: on the way from the '
  'entry to the root, and at the right edge of the tree. What proves calls it.';

CREATE FUNCTION ledger.prove_entry(tenant uuid, wanted bigint, event uuid, review uuid, tree_size bigint)
RETURNS TABLE(leaf_index text, leaf text, salt bytea, fields text, size text, note text,
              levels smallint[], tile_indexes text[], lengths int[], tiles bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT x.leaf_index::text, ledger.leaf(x.kind, x.id, x.at, x.open, x.closed),
         CASE WHEN d.fields IS NOT NULL THEN x.open_salt END, d.fields, s.size::text,
         CASE WHEN tree_size IS NULL THEN s.note END, p.levels, p.tile_indexes, p.lengths, p.tiles
    FROM (SELECT coalesce(tree_size, l.note_size) AS size, l.note, l.note_size FROM ledger.logs l
           WHERE l.tenant_id = tenant AND l.note IS NOT NULL) AS s
   CROSS JOIN LATERAL (
     (SELECT n.* FROM ledger.entries n WHERE n.tenant_id = tenant AND n.leaf_index = wanted)
     UNION ALL
     (SELECT n.* FROM ledger.entries n WHERE n.tenant_id = tenant AND n.kind = 'audit' AND n.id = event AND n.part = 0)
     UNION ALL
     (SELECT n.* FROM ledger.entries n WHERE n.tenant_id = tenant AND n.kind = 'landing' AND n.id = review
         AND n.leaf_index < s.size ORDER BY n.part DESC LIMIT 1)) AS x
   CROSS JOIN LATERAL ledger.disclosed(x::ledger.entries) AS d
   CROSS JOIN LATERAL (SELECT array_agg(t.level) AS levels, array_agg(t.tile_index) AS tile_indexes,
                              array_agg(length(t.hashes)) AS lengths, string_agg(t.hashes, ''::bytea) AS tiles
                         FROM ledger.tiles_on_path(tenant, x.leaf_index, s.size) t) AS p
   WHERE x.leaf_index < s.size AND s.size <= s.note_size
$$;
COMMENT ON FUNCTION ledger.prove_entry IS
  'Returns an entry of the entered tenant''s log, named by its index, its row of the trail or its review, with the tiles of its '
  'proof in the tree of a size, and, for the signed size, the checkpoint; no row if it is not in that tree, or the tree is larger '
  'than the signed one. The audit service calls it for GET /v1/audit-log/inclusion-proof, the reviews service for a receipt.';

REVOKE ALL ON FUNCTION ledger.instant(timestamptz), ledger.shown_instant(timestamptz), ledger.fold(bytea),
  ledger.leaf(text, uuid, timestamptz, bytea, bytea), ledger.commitment(bytea, text), ledger.key_fields(bytea),
  ledger.audit_fields(uuid, uuid, uuid, text, text, text, text, text, text, text, text, timestamptz),
  ledger.hidden_audit_fields(audit.audit_events), ledger.landings(uuid), ledger.erasure_fields(int8multirange, text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.instant(timestamptz), ledger.shown_instant(timestamptz), ledger.fold(bytea),
  ledger.leaf(text, uuid, timestamptz, bytea, bytea), ledger.commitment(bytea, text), ledger.key_fields(bytea),
  ledger.audit_fields(uuid, uuid, uuid, text, text, text, text, text, text, text, text, timestamptz),
  ledger.hidden_audit_fields(audit.audit_events), ledger.landings(uuid), ledger.erasure_fields(int8multirange, text)
  TO plat_ledger_sealer;
REVOKE ALL ON FUNCTION ledger.get_log(uuid), ledger.page_entries(uuid, bigint, text, int),
  ledger.get_tile(uuid, int, bigint), ledger.tiles_on_path(uuid, bigint, bigint),
  ledger.prove_entry(uuid, bigint, uuid, uuid, bigint), ledger.disclosed(ledger.entries) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.get_log(uuid), ledger.page_entries(uuid, bigint, text, int),
  ledger.get_tile(uuid, int, bigint), ledger.tiles_on_path(uuid, bigint, bigint),
  ledger.prove_entry(uuid, bigint, uuid, uuid, bigint) TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.prove_entry(uuid, bigint, uuid, uuid, bigint) TO plat_reviews;
RESET ROLE;

SET ROLE plat_ledger_sealer;

CREATE FUNCTION ledger.erase_user(tenant uuid, usr uuid) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  erased int8multirange;
BEGIN
  -- Waits for a sealer, so that no row is sealed as it was while its fields are removed.
  PERFORM pg_advisory_xact_lock(hashtextextended('ledger/' || tenant, 0));
  UPDATE audit.audit_events e
     SET external_user_id = 'erased', caller_request_id = NULL, api_parameters = NULL, mcp_tool_parameters = NULL,
         cli_parameters = NULL
   WHERE e.tenant_id = tenant AND e.erun_user_id = usr AND e.external_user_id <> 'erased';
  WITH gone AS (
    UPDATE ledger.entries x SET open_salt = NULL, closed_salt = NULL
      FROM audit.audit_events e
     WHERE e.tenant_id = tenant AND e.erun_user_id = usr AND x.tenant_id = e.tenant_id AND x.kind = 'audit'
       AND x.id = e.audit_event_id AND x.part = 0 AND x.open_salt IS NOT NULL
       AND x.open <> ledger.commitment(x.open_salt, ledger.audit_fields(e.tenant_id, e.audit_event_id, e.erun_user_id,
             e.external_user_id, e.external_issuer_id, e.external_org_id, e.type, e.api_method, e.api_path, e.mcp_tool,
             e.cli_command, e.created_at))
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
    PERFORM pg_advisory_xact_lock(hashtextextended('ledger/' || gone.tenant_id, 0));
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

REVOKE ALL ON FUNCTION ledger.cluster(), ledger.lock_log(uuid), ledger.add_hashes(uuid, bigint, bytea), ledger.root_of(uuid, bigint),
  ledger.seal_audit_rows(ledger.logs, xid8, bigint, int), ledger.rescan_audit_rows(ledger.logs, bigint, int),
  ledger.seal_rest(ledger.logs, xid8, bytea[], bigint), ledger.seal_log(uuid, text, bytea[], int),
  ledger.waiting(int, double precision, bytea[]), ledger.seal_due(text, bytea[], int, double precision, int),
  ledger.unsigned(bytea[]), ledger.store_note(uuid, bigint, bytea, text, bytea[]), ledger.figures(), ledger.altered_entries(),
  ledger.altered_logs(), ledger.late_rows(double precision), ledger.erase_user(uuid, uuid), ledger.note_pruned(tstzrange),
  ledger.unsealed_before(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.seal_due(text, bytea[], int, double precision, int), ledger.unsigned(bytea[]),
  ledger.store_note(uuid, bigint, bytea, text, bytea[]), ledger.figures() TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.altered_entries(), ledger.altered_logs(), ledger.late_rows(double precision)
   TO plat_inspector;
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
