-- Which logs are due, and what seals and signs them.
-- Guarantees: what writes a log holds the lock of its row, which no login can take but by these functions. A sealer takes it
-- without waiting, so that any number of them may try and one works on a log at a time. One transaction seals a bounded number
-- of entries, and the row of the log says how far it came; rows of the trail and landings do not wait for each other.
-- Functions only; runs in milliseconds.

GRANT CREATE ON SCHEMA ledger TO plat_ledger_sealer;
SET ROLE plat_ledger_sealer;

CREATE FUNCTION ledger.cluster() RETURNS bigint
LANGUAGE sql STABLE
RETURN (SELECT c.system_identifier FROM pg_control_system() c);
COMMENT ON FUNCTION ledger.cluster IS
  'Returns which PostgreSQL cluster this is. Numbers of transactions mean something within one only. What seals calls it.';

CREATE FUNCTION ledger.add_log(tenant uuid, host text) RETURNS void
LANGUAGE plpgsql
-- Another sealer may be adding it in a transaction of many logs, and wait for one that is added here.
SET lock_timeout = '50ms'
AS $$
BEGIN
  INSERT INTO ledger.logs (tenant_id, origin, sealed_below, landed_below, cluster, rescanned_at, rescanned_id, rescanned_review)
  SELECT tenant, host || '/log/' || tenant, h.horizon, h.horizon, ledger.cluster(), '-infinity', n.id, n.id
    FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) AS h,
         (SELECT '00000000-0000-0000-0000-000000000000'::uuid AS id) AS n
  ON CONFLICT DO NOTHING;
EXCEPTION WHEN lock_not_available THEN
  NULL;
END
$$;
COMMENT ON FUNCTION ledger.add_log IS
  'Adds the log of a tenant, in which everything is to be looked through, unless it is there or another transaction is adding '
  'it. ledger.seal_log calls it.';

CREATE FUNCTION ledger.seal_log(tenant uuid, host text, signing_keys bytea[], most int, OUT sealed int, OUT more boolean)
LANGUAGE plpgsql
AS $$
DECLARE
  log      ledger.logs;
  horizon  xid8;
  erasures int;
  landings record;
  new_rows record;
  old_rows record;
  -- What a kind of entries may take at most while another has some too.
  half     int := greatest(most / 2, 1);
  room     int;
BEGIN
  sealed := 0;
  more := false;
  SELECT * INTO log FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    PERFORM ledger.add_log(tenant, host);
    SELECT * INTO log FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  -- Every transaction before it has ended, so that the statements after this one see all of its rows.
  horizon := pg_snapshot_xmin(pg_current_snapshot());
  IF log.cluster <> ledger.cluster() THEN
    log.sealed_below := horizon;
    log.landed_below := horizon;
    log.rescanned_at := '-infinity';
    log.rescanned_id := '00000000-0000-0000-0000-000000000000';
    log.rescanned_review := '00000000-0000-0000-0000-000000000000';
  END IF;
  sealed := ledger.seal_keys(log, signing_keys, log.size);
  erasures := ledger.seal_erasures(log, log.size + sealed, half);
  sealed := sealed + erasures;
  SELECT * INTO landings FROM ledger.seal_landings(log, horizon, log.size + sealed, half);
  sealed := sealed + landings.sealed;
  room := greatest(most - erasures - landings.sealed, half);
  SELECT * INTO new_rows FROM ledger.seal_audit_rows(log, horizon, log.size + sealed, room);
  sealed := sealed + new_rows.sealed;
  more := erasures = half OR landings.more OR new_rows.more;
  IF log.rescanned_at IS NOT NULL AND NOT new_rows.more THEN
    SELECT * INTO old_rows FROM ledger.rescan_audit_rows(log, log.size + sealed, room - new_rows.sealed);
    sealed := sealed + old_rows.sealed;
    log.rescanned_at := old_rows.last_at;
    log.rescanned_id := old_rows.last_id;
    more := more OR old_rows.last_at IS NOT NULL;
  END IF;
  IF sealed > 0 THEN
    PERFORM ledger.add_hashes(tenant, log.size, (
      SELECT string_agg(sha256('\x00'::bytea || convert_to(ledger.leaf(x.kind, x.id, x.at, x.open, x.closed), 'UTF8')),
                        ''::bytea ORDER BY x.leaf_index)
        FROM ledger.entries x WHERE x.tenant_id = tenant AND x.leaf_index >= log.size));
    log.size := log.size + sealed;
    log.root := ledger.root_of(tenant, log.size);
    log.keys := log.keys || ARRAY(SELECT k FROM unnest(signing_keys) AS k WHERE k <> ALL (log.keys));
    log.sealed_at := clock_timestamp();
    log.unsigned_since := coalesce(log.unsigned_since, log.sealed_at);
  END IF;
  log.cluster := ledger.cluster();
  log.sealed_below := new_rows.below;
  log.landed_below := landings.below;
  log.rescanned_review := landings.last_review;
  UPDATE ledger.logs l
     SET (size, root, keys, sealed_at, unsigned_since, cluster, sealed_below, landed_below, rescanned_at, rescanned_id,
          rescanned_review)
       = (log.size, log.root, log.keys, log.sealed_at, log.unsigned_since, log.cluster, log.sealed_below, log.landed_below,
          log.rescanned_at, log.rescanned_id, log.rescanned_review)
   -- While an old transaction holds the horizon there may be nothing new to say.
   WHERE l.tenant_id = tenant AND l IS DISTINCT FROM log;
END
$$;
COMMENT ON FUNCTION ledger.seal_log IS
  'Seals what a tenant''s log lacks, about so many entries at most, and stores its size and root. Returns how many entries '
  'were added, and whether it left some. Does nothing while another transaction has the log. ledger.seal_due calls it.';

CREATE FUNCTION ledger.waiting(after_rows int, after_seconds double precision, signing_keys bytea[])
RETURNS TABLE(tenant_id uuid, sealed_at timestamptz)
LANGUAGE sql STABLE
AS $$
  SELECT t.tenant_id, l.sealed_at
    FROM identity.tenants t
    LEFT JOIN ledger.logs l ON l.tenant_id = t.tenant_id
   -- Rows that can be sealed now: those of transactions that have ended, as all before them have.
   -- The order and the limit have each partition's index read for one row; EXISTS would drop them, and read whole tables.
   CROSS JOIN LATERAL (SELECT (
     SELECT e.created_at FROM audit.audit_events e
      WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below AND e.written_in < pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY e.written_in LIMIT 1) AS created_at OFFSET 0) AS oldest
   WHERE NOT EXISTS (SELECT FROM identity.closed_tenants c
                      WHERE c.tenant_id = t.tenant_id AND c.reason <> 'disabled')
     AND CASE WHEN l.tenant_id IS NULL
           THEN (SELECT e.created_at FROM audit.audit_events e WHERE e.tenant_id = t.tenant_id
                  ORDER BY e.written_in LIMIT 1) IS NOT NULL
           ELSE l.cluster <> (SELECT ledger.cluster()) OR l.rescanned_at IS NOT NULL OR l.rescanned_review IS NOT NULL
             OR NOT signing_keys <@ l.keys
             OR oldest.created_at <= clock_timestamp() - make_interval(secs => after_seconds)
             OR oldest.created_at IS NOT NULL
                AND EXISTS (SELECT FROM audit.audit_events e
                             WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below
                               AND e.written_in < pg_snapshot_xmin(pg_current_snapshot())
                             ORDER BY e.written_in OFFSET after_rows - 1 LIMIT 1)
             OR EXISTS (SELECT FROM ledger.unsealed_landings(t.tenant_id, l.landed_below))
             OR EXISTS (SELECT FROM ledger.erasures r WHERE r.tenant_id = t.tenant_id AND NOT r.sealed)
         END
$$;
COMMENT ON FUNCTION ledger.waiting IS
  'Returns the tenants whose logs lack something that can be sealed now: so many rows of the trail, one of that age, a landing, '
  'an erasure, a key, or rows from before the log. ledger.seal_due calls it.';

CREATE FUNCTION ledger.seal_due(host text, signing_keys bytea[], after_rows int, after_seconds double precision, most int,
  OUT sealed int, OUT more boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  logs_max CONSTANT int := 1000;
  -- The log that has waited longest first, so that one tenant's many rows do not keep another's from being sealed.
  due    uuid[] := ARRAY(SELECT w.tenant_id FROM ledger.waiting(after_rows, after_seconds, signing_keys) w
                          ORDER BY w.sealed_at NULLS FIRST LIMIT logs_max);
  -- A log's part of the room, but not less than makes a batch worth it.
  share  int := greatest(most / greatest(cardinality(due), 1), least(most, 1024));
  tenant uuid;
  done   record;
BEGIN
  sealed := 0;
  more := false;
  FOREACH tenant IN ARRAY due
  LOOP
    IF sealed >= most OR clock_timestamp() > statement_timestamp() + interval '4 s' THEN
      more := true;
      EXIT;
    END IF;
    BEGIN
      SELECT * INTO done FROM ledger.seal_log(tenant, host, signing_keys, least(most - sealed, share));
    EXCEPTION WHEN unique_violation OR check_violation OR data_exception THEN
      -- One log's fault keeps no other from being sealed; its own rows wait, and the alarm says so.
      RAISE WARNING 'the log of tenant % could not be sealed: %', tenant, SQLSTATE;
      CONTINUE;
    END;
    sealed := sealed + done.sealed;
    more := more OR done.more;
  END LOOP;
  -- Nothing is left to do at once where others have the logs that were due.
  more := more OR sealed > 0 AND cardinality(due) = logs_max;
END
$$;
COMMENT ON FUNCTION ledger.seal_due IS
  'Seals what is due in the logs of all tenants, about so many entries in 1000 logs at most, and returns how many entries were '
  'added and whether some are left. Each named key that a log does not have yet becomes an entry. The audit service calls it '
  'each second.';

CREATE FUNCTION ledger.unsigned(signing_keys bytea[]) RETURNS TABLE(tenant_id uuid, origin text, size text, root bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT l.tenant_id, l.origin, l.size::text, l.root FROM ledger.logs l
   WHERE l.size > 0 AND signing_keys <@ l.keys
     AND (l.note_size IS DISTINCT FROM l.size OR l.note_keys IS DISTINCT FROM signing_keys)
   ORDER BY l.tenant_id LIMIT 1000
$$;
COMMENT ON FUNCTION ledger.unsigned IS
  'Returns the logs whose stored size has no checkpoint signed by these keys, with the root that is stored. The audit service '
  'signs it.';

CREATE FUNCTION ledger.checkpoint_text(origin text, size bigint, root bytea) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN origin || E'\n' || size || E'\n' || encode(root, 'base64') || E'\n\n';
COMMENT ON FUNCTION ledger.checkpoint_text IS
  'Returns what the signed checkpoint of a log begins with: its text (C2SP tlog-checkpoint) and the empty line before the '
  'signatures. What stores checkpoints, and what looks for altered logs, calls it.';

CREATE FUNCTION ledger.store_notes(tenants uuid[], sizes bigint[], roots bytea[], signed text[], signing_keys bytea[])
RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  stored int;
BEGIN
  WITH given AS (
    SELECT * FROM unnest(tenants, sizes, roots, signed) AS g (tenant_id, size, root, note)),
  -- A log that another transaction has is growing, or gets the same note from it: it is waited for by nobody.
  held AS MATERIALIZED (
    SELECT l.tenant_id FROM ledger.logs l JOIN given g USING (tenant_id, size, root) FOR UPDATE OF l SKIP LOCKED)
  UPDATE ledger.logs l SET note = g.note, note_size = g.size, note_keys = signing_keys, unsigned_since = NULL
    FROM held h JOIN given g USING (tenant_id)
   WHERE l.tenant_id = h.tenant_id AND l.size = g.size AND l.root = g.root
     AND starts_with(g.note, ledger.checkpoint_text(l.origin, l.size, l.root));
  GET DIAGNOSTICS stored = ROW_COUNT;
  RETURN stored;
END
$$;
COMMENT ON FUNCTION ledger.store_notes IS
  'Stores the signed checkpoints of logs, each if its size and root are those that are stored, and it says so; else the log has '
  'grown, and is signed again. Signatures are not looked at. Returns how many it has stored. The audit service calls it.';

REVOKE ALL ON FUNCTION ledger.cluster(), ledger.checkpoint_text(text, bigint, bytea), ledger.add_log(uuid, text),
  ledger.seal_log(uuid, text, bytea[], int),
  ledger.waiting(int, double precision, bytea[]), ledger.seal_due(text, bytea[], int, double precision, int),
  ledger.unsigned(bytea[]), ledger.store_notes(uuid[], bigint[], bytea[], text[], bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.seal_due(text, bytea[], int, double precision, int), ledger.unsigned(bytea[]),
  ledger.store_notes(uuid[], bigint[], bytea[], text[], bytea[]) TO plat_audit;
RESET ROLE;
REVOKE CREATE ON SCHEMA ledger FROM plat_ledger_sealer;
