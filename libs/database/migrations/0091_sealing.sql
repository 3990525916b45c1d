-- What seals the rows of all tenants, and what says that rows wait too long.
-- Guarantees: any number of sealers may call ledger.seal_due; one works on a log at a time, and none waits for another.
-- Functions only; runs in milliseconds.

GRANT CREATE ON SCHEMA ledger TO plat_ledger_sealer;
SET ROLE plat_ledger_sealer;

CREATE FUNCTION ledger.cluster() RETURNS bigint
LANGUAGE sql STABLE
RETURN (SELECT c.system_identifier FROM pg_control_system() c);
COMMENT ON FUNCTION ledger.cluster IS
  'Returns which PostgreSQL cluster this is. Numbers of transactions mean something within one only. What seals calls it.';

CREATE FUNCTION ledger.lock_log(tenant uuid) RETURNS boolean
LANGUAGE sql VOLATILE
RETURN pg_try_advisory_xact_lock(hashtextextended('ledger/' || tenant, 0));
COMMENT ON FUNCTION ledger.lock_log IS
  'Takes the log of a tenant until the transaction ends; returns false if another transaction has it. What writes a log '
  'calls it.';

CREATE FUNCTION ledger.add_hashes(tenant uuid, first bigint, added bytea) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  lvl   smallint := 0;
  start bigint := first;
  -- How many hashes of the level there are afterwards
  past  bigint;
BEGIN
  WHILE length(added) > 0
  LOOP
    past := start + length(added) / 32;
    INSERT INTO ledger.tiles AS t (tenant_id, level, tile_index, hashes)
    SELECT tenant, lvl, i, substr(added, ((greatest(start, i * 256) - start) * 32 + 1)::int,
                                  ((least(past, (i + 1) * 256) - greatest(start, i * 256)) * 32)::int)
      FROM generate_series(start / 256, (past - 1) / 256) AS i
    ON CONFLICT (tenant_id, level, tile_index) DO UPDATE SET hashes = t.hashes || excluded.hashes;
    -- Each tile that has become full is one hash of the level above.
    SELECT coalesce(string_agg(ledger.fold(t.hashes), ''::bytea ORDER BY t.tile_index), ''::bytea) INTO added
      FROM ledger.tiles t
     WHERE t.tenant_id = tenant AND t.level = lvl AND t.tile_index >= start / 256 AND t.tile_index < past / 256;
    start := start / 256;
    lvl := lvl + 1;
  END LOOP;
END
$$;
COMMENT ON FUNCTION ledger.add_hashes IS
  'Adds the hashes of new entries to the tiles of a log, and of each tile that has become full to the level above. '
  'ledger.seal_log calls it.';

CREATE FUNCTION ledger.root_of(tenant uuid, size bigint) RETURNS bytea
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  lvl   smallint := 0;
  count bigint := size;
  below bytea := ''::bytea;
BEGIN
  IF size = 0 THEN
    RETURN sha256('');
  END IF;
  LOOP
    -- The tile that is not full, and the root of what is not full below it.
    below := ledger.fold(coalesce((SELECT substr(t.hashes, 1, (count % 256)::int * 32) FROM ledger.tiles t
                                    WHERE t.tenant_id = tenant AND t.level = lvl AND t.tile_index = count / 256
                                      AND count % 256 > 0), ''::bytea) || below);
    EXIT WHEN count < 256;
    count := count / 256;
    lvl := lvl + 1;
  END LOOP;
  RETURN below;
END
$$;
COMMENT ON FUNCTION ledger.root_of IS
  'Returns the RFC 6962 root of the first entries of a log, from its tiles. ledger.seal_log and ledger.altered_logs call it.';

-- OFFSET 0 in a NOT EXISTS keeps it a look by key for each row: as a join it might read a whole log for each batch.

CREATE FUNCTION ledger.seal_audit_rows(log ledger.logs, horizon xid8, first bigint, most int,
  OUT sealed int, OUT below xid8)
LANGUAGE plpgsql
AS $$
DECLARE
  last xid8;
  seen int;
BEGIN
  WITH found AS MATERIALIZED (
    SELECT e
      FROM audit.audit_events e
     WHERE e.tenant_id = log.tenant_id AND e.written_in >= log.sealed_below AND e.written_in < horizon
       AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                          AND x.id = e.audit_event_id AND x.part = 0 OFFSET 0)
     ORDER BY e.written_in LIMIT most),
  picked AS MATERIALIZED (
    -- A login that was taken over may have written an id twice: the first row has the entry.
    SELECT DISTINCT ON ((f.e).audit_event_id) f.e, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
      FROM found f ORDER BY (f.e).audit_event_id, (f.e).created_at),
  sealed_rows AS (
    INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed)
    SELECT log.tenant_id, first + row_number() OVER (ORDER BY (p.e).written_in, (p.e).created_at) - 1, 'audit',
           (p.e).audit_event_id, (p.e).created_at, p.s1, p.s2,
           ledger.commitment(p.s1, ledger.audit_fields((p.e).tenant_id, (p.e).audit_event_id, (p.e).erun_user_id,
             (p.e).external_user_id, (p.e).external_issuer_id, (p.e).external_org_id, (p.e).type, (p.e).api_method,
             (p.e).api_path, (p.e).mcp_tool, (p.e).cli_command, (p.e).created_at)),
           ledger.commitment(p.s2, ledger.hidden_audit_fields(p.e))
      FROM picked p)
  SELECT (SELECT count(*) FROM picked), (SELECT count(*) FROM found),
         (SELECT (f.e).written_in FROM found f ORDER BY (f.e).written_in DESC LIMIT 1) INTO sealed, seen, last;
  below := CASE WHEN seen = most THEN last ELSE horizon END;
END
$$;
COMMENT ON FUNCTION ledger.seal_audit_rows IS
  'Gives the unsealed rows of the trail whose transaction is before the horizon their entries, at most so many, and returns '
  'how many, and the transaction before which none is left. ledger.seal_log calls it.';

CREATE FUNCTION ledger.rescan_audit_rows(log ledger.logs, first bigint, most int,
  OUT sealed int, OUT last_at timestamptz, OUT last_id uuid)
LANGUAGE plpgsql
AS $$
DECLARE
  seen int;
BEGIN
  WITH looked AS MATERIALIZED (
    SELECT e
      FROM audit.audit_events e
     WHERE e.tenant_id = log.tenant_id
       AND (e.created_at, e.audit_event_id) > (log.rescanned_at, log.rescanned_id)
     ORDER BY e.created_at, e.audit_event_id LIMIT most),
  picked AS MATERIALIZED (
    SELECT DISTINCT ON ((l.e).audit_event_id) l.e, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
      FROM looked l
     WHERE NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = log.tenant_id AND x.kind = 'audit'
                          AND x.id = (l.e).audit_event_id AND x.part = 0 OFFSET 0)
     ORDER BY (l.e).audit_event_id, (l.e).created_at),
  sealed_rows AS (
    INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed)
    SELECT log.tenant_id, first + row_number() OVER (ORDER BY (p.e).created_at, (p.e).audit_event_id) - 1, 'audit',
           (p.e).audit_event_id, (p.e).created_at, p.s1, p.s2,
           ledger.commitment(p.s1, ledger.audit_fields((p.e).tenant_id, (p.e).audit_event_id, (p.e).erun_user_id,
             (p.e).external_user_id, (p.e).external_issuer_id, (p.e).external_org_id, (p.e).type, (p.e).api_method,
             (p.e).api_path, (p.e).mcp_tool, (p.e).cli_command, (p.e).created_at)),
           ledger.commitment(p.s2, ledger.hidden_audit_fields(p.e))
      FROM picked p)
  SELECT (SELECT count(*) FROM picked), (SELECT count(*) FROM looked), z.at, z.id INTO sealed, seen, last_at, last_id
    FROM (SELECT) AS one
    LEFT JOIN (SELECT (l.e).created_at AS at, (l.e).audit_event_id AS id FROM looked l ORDER BY 1 DESC, 2 DESC LIMIT 1) AS z
      ON true;
  -- Fewer than there was room for: the end of the trail was reached.
  IF seen < most THEN
    last_at := NULL;
    last_id := NULL;
  END IF;
END
$$;
COMMENT ON FUNCTION ledger.rescan_audit_rows IS
  'Gives the next unsealed rows of the trail their entries, in the order of their times, whatever their transaction: after '
  'a restore or a move its number means nothing. Returns how many, and the last row that it looked at; NULL at the end. ledger.seal_log calls it.';

CREATE FUNCTION ledger.seal_rest(log ledger.logs, horizon xid8, signing_keys bytea[], first bigint) RETURNS int
LANGUAGE plpgsql
AS $$
DECLARE
  added  int;
  sealed int := 0;
BEGIN
  INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed, public_key)
  SELECT log.tenant_id, first + row_number() OVER (ORDER BY k.place) - 1, 'key', gen_random_uuid(), clock_timestamp(), k.s1,
         k.s2, ledger.commitment(k.s1, ledger.key_fields(k.key)), ledger.commitment(k.s2, '{}'), k.key
    FROM (SELECT u.key, u.place, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
            FROM unnest(signing_keys) WITH ORDINALITY AS u (key, place) WHERE u.key <> ALL (log.keys)) AS k;
  GET DIAGNOSTICS added = ROW_COUNT;
  sealed := sealed + added;
  INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, part, at, open_salt, closed_salt, open, closed)
  SELECT log.tenant_id, first + sealed + row_number() OVER (ORDER BY p.at, p.part) - 1, 'landing', p.review_id, p.part, p.at,
         p.s1, p.s2, ledger.commitment(p.s1, p.fields), ledger.commitment(p.s2, p.hidden)
    FROM (SELECT l.*, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
            FROM ledger.landings(log.tenant_id) l
           WHERE (log.rescanned_at = '-infinity'
               OR l.written_in >= log.sealed_below AND l.written_in < pg_snapshot_xmax(pg_current_snapshot()))
             AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = log.tenant_id AND x.kind = 'landing'
                                AND x.id = l.review_id AND x.part = l.part OFFSET 0)) AS p;
  GET DIAGNOSTICS added = ROW_COUNT;
  sealed := sealed + added;
  INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed)
  SELECT log.tenant_id, first + sealed + row_number() OVER (ORDER BY p.erased_at) - 1, 'erasure', p.erasure_id, p.erased_at,
         p.s1, p.s2, ledger.commitment(p.s1, ledger.erasure_fields(p.entries, p.reason)), ledger.commitment(p.s2, '{}')
    FROM (SELECT r.*, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2 FROM ledger.erasures r
           WHERE r.tenant_id = log.tenant_id
             AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = r.tenant_id AND x.kind = 'erasure'
                                AND x.id = r.erasure_id AND x.part = 0 OFFSET 0)) AS p;
  GET DIAGNOSTICS added = ROW_COUNT;
  RETURN sealed + added;
END
$$;
COMMENT ON FUNCTION ledger.seal_rest IS
  'Gives new keys, unsealed landings and unsealed erasures of a tenant their entries, and returns how many. A landing is sealed '
  'as soon as it is there: it is looked for by its key, so that none is passed over. ledger.seal_log calls it.';

CREATE FUNCTION ledger.seal_log(tenant uuid, host text, signing_keys bytea[], most int, OUT sealed int, OUT more boolean)
LANGUAGE plpgsql
AS $$
DECLARE
  log     ledger.logs;
  -- Every transaction before it has ended, so that the statements after this one see all of its rows.
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  window_rows record;
  old_rows    record;
BEGIN
  sealed := 0;
  more := false;
  IF NOT ledger.lock_log(tenant) THEN
    RETURN;
  END IF;
  INSERT INTO ledger.logs (tenant_id, origin, sealed_below, cluster, rescanned_at, rescanned_id)
  VALUES (tenant, host || '/log/' || tenant, horizon, ledger.cluster(), '-infinity', '00000000-0000-0000-0000-000000000000')
  ON CONFLICT DO NOTHING;
  SELECT * INTO log FROM ledger.logs l WHERE l.tenant_id = tenant;
  IF log.cluster <> ledger.cluster() THEN
    log.sealed_below := horizon;
    log.rescanned_at := '-infinity';
    log.rescanned_id := '00000000-0000-0000-0000-000000000000';
  END IF;
  sealed := ledger.seal_rest(log, horizon, signing_keys, log.size);
  SELECT * INTO window_rows FROM ledger.seal_audit_rows(log, horizon, log.size + sealed, most);
  sealed := sealed + window_rows.sealed;
  more := window_rows.sealed = most;
  IF log.rescanned_at IS NOT NULL AND NOT more THEN
    SELECT * INTO old_rows FROM ledger.rescan_audit_rows(log, log.size + sealed, most - window_rows.sealed);
    sealed := sealed + old_rows.sealed;
    log.rescanned_at := old_rows.last_at;
    log.rescanned_id := old_rows.last_id;
    more := old_rows.last_at IS NOT NULL;
  END IF;
  PERFORM ledger.add_hashes(tenant, log.size, coalesce((
    SELECT string_agg(sha256('\x00'::bytea || convert_to(ledger.leaf(x.kind, x.id, x.at, x.open, x.closed), 'UTF8')),
                      ''::bytea ORDER BY x.leaf_index)
      FROM ledger.entries x WHERE x.tenant_id = tenant AND x.leaf_index >= log.size), ''::bytea));
  UPDATE ledger.logs l
     SET size = log.size + seal_log.sealed, root = ledger.root_of(tenant, log.size + seal_log.sealed),
         sealed_at = CASE WHEN seal_log.sealed > 0 THEN clock_timestamp() ELSE l.sealed_at END,
         unsigned_since = CASE WHEN seal_log.sealed > 0 THEN coalesce(l.unsigned_since, clock_timestamp())
                               ELSE l.unsigned_since END,
         sealed_below = window_rows.below, cluster = ledger.cluster(),
         rescanned_at = log.rescanned_at, rescanned_id = log.rescanned_id,
         keys = l.keys || ARRAY(SELECT k FROM unnest(signing_keys) AS k WHERE k <> ALL (l.keys))
   WHERE l.tenant_id = tenant;
END
$$;
COMMENT ON FUNCTION ledger.seal_log IS
  'Seals what a tenant''s log lacks, at most so many rows of the trail, and stores its size and root. Returns how many entries '
  'were added, and whether it left some. Does nothing while another transaction has the log. ledger.seal_due calls it.';

CREATE FUNCTION ledger.waiting(after_rows int, after_seconds double precision, signing_keys bytea[])
RETURNS TABLE(tenant_id uuid, sealed_at timestamptz)
LANGUAGE sql STABLE
AS $$
  SELECT t.tenant_id, l.sealed_at
    FROM identity.tenants t
    LEFT JOIN ledger.logs l ON l.tenant_id = t.tenant_id
   -- A number of a transaction that is larger than all of this cluster's is another one's: a rescan finds its row.
   -- The order and the limit have each partition's index read for one row; EXISTS would drop them, and read whole tables.
   CROSS JOIN LATERAL (SELECT (
     SELECT e.created_at FROM audit.audit_events e
      WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below AND e.written_in < pg_snapshot_xmax(pg_current_snapshot())
      ORDER BY e.written_in LIMIT 1) AS created_at OFFSET 0) AS oldest
   WHERE NOT EXISTS (SELECT FROM identity.closed_tenants c
                      WHERE c.tenant_id = t.tenant_id AND c.reason <> 'disabled')
     AND CASE WHEN l.tenant_id IS NULL
           THEN (SELECT e.created_at FROM audit.audit_events e WHERE e.tenant_id = t.tenant_id
                  ORDER BY e.written_in LIMIT 1) IS NOT NULL
           ELSE l.cluster <> (SELECT ledger.cluster()) OR l.rescanned_at IS NOT NULL OR NOT signing_keys <@ l.keys
             OR oldest.created_at <= clock_timestamp() - make_interval(secs => after_seconds)
             OR oldest.created_at IS NOT NULL
                AND EXISTS (SELECT FROM audit.audit_events e
                             WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below AND e.written_in < pg_snapshot_xmax(pg_current_snapshot())
                             ORDER BY e.written_in OFFSET after_rows - 1 LIMIT 1)
             OR EXISTS (SELECT FROM reviews.verifications v
                         WHERE v.tenant_id = t.tenant_id AND v.written_in >= l.sealed_below AND v.written_in < pg_snapshot_xmax(pg_current_snapshot()))
             OR EXISTS (SELECT FROM reviews.later_contents c
                         WHERE c.tenant_id = t.tenant_id AND c.written_in >= l.sealed_below AND c.written_in < pg_snapshot_xmax(pg_current_snapshot()))
             OR EXISTS (SELECT FROM ledger.erasures r
                         WHERE r.tenant_id = t.tenant_id
                           AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = r.tenant_id
                                              AND x.kind = 'erasure' AND x.id = r.erasure_id AND x.part = 0 OFFSET 0))
         END
$$;
COMMENT ON FUNCTION ledger.waiting IS
  'Returns the tenants whose logs lack something: so many rows of the trail, one of that age, a landing, an erasure, a key, or '
  'rows from before the log. ledger.seal_due calls it.';

CREATE FUNCTION ledger.seal_due(host text, signing_keys bytea[], after_rows int, after_seconds double precision, most int,
  OUT sealed int, OUT more boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- The log that has waited longest first, so that one tenant's many rows do not keep another's from being sealed.
  due    uuid[] := ARRAY(SELECT w.tenant_id FROM ledger.waiting(after_rows, after_seconds, signing_keys) w
                          ORDER BY w.sealed_at NULLS FIRST);
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
END
$$;
COMMENT ON FUNCTION ledger.seal_due IS
  'Seals what is due in the logs of all tenants, about so many rows at most, and returns how many entries were added and '
  'whether some are left. Each named key that a log does not have yet becomes an entry. The audit service calls it each second.';

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

CREATE FUNCTION ledger.store_note(tenant uuid, signed_size bigint, signed_root bytea, signed text, signing_keys bytea[])
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE ledger.logs l SET note = signed, note_size = signed_size, note_keys = signing_keys,
         unsigned_since = NULL
   WHERE l.tenant_id = tenant AND l.size = signed_size AND l.root = signed_root;
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION ledger.store_note IS
  'Stores the signed checkpoint of a log, and returns true, if size and root are those that are stored; else the log has '
  'grown, and it returns false. The audit service calls it.';

CREATE FUNCTION ledger.figures(OUT logs bigint, OUT waiting bigint, OUT oldest_seconds double precision,
  OUT catching_up bigint, OUT unsigned_seconds double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(l.tenant_id), coalesce(sum(w.rows), 0)::bigint,
         coalesce(max(extract(epoch FROM clock_timestamp() - CASE WHEN l.tenant_id IS NULL
           THEN (SELECT e.created_at FROM audit.audit_events e
                  WHERE e.tenant_id = t.tenant_id AND e.written_in >= '0' ORDER BY e.written_in LIMIT 1)
           ELSE w.oldest END)), 0)::double precision,
         count(*) FILTER (WHERE l.rescanned_at IS NOT NULL OR l.cluster <> (SELECT ledger.cluster())),
         coalesce(max(extract(epoch FROM clock_timestamp() - l.unsigned_since)), 0)::double precision
    FROM identity.tenants t
    LEFT JOIN ledger.logs l ON l.tenant_id = t.tenant_id
   CROSS JOIN LATERAL (
     SELECT count(*) AS rows, min(n.created_at) AS oldest
       FROM (SELECT e.created_at FROM audit.audit_events e
              WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below AND e.written_in < pg_snapshot_xmax(pg_current_snapshot()) AND l.cluster = (SELECT ledger.cluster())
                AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                                   AND x.id = e.audit_event_id AND x.part = 0 OFFSET 0)
              ORDER BY e.written_in LIMIT 10000) AS n) AS w
   WHERE NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = t.tenant_id AND c.reason <> 'disabled')
$$;
COMMENT ON FUNCTION ledger.figures IS
  'Returns, over all tenants, how many logs there are, how many rows of the trail are not sealed (10000 a tenant at most) and '
  'the age in seconds of the oldest, how many logs are catching up with rows from before, and for how long the stored size of a '
  'log has been unsigned. The audit service shows it at /metrics.';

CREATE FUNCTION ledger.altered_entries() RETURNS TABLE(tenant_id uuid, leaf_index bigint, fault text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT x.tenant_id, x.leaf_index,
         CASE WHEN e.audit_event_id IS NULL THEN 'its row is gone' ELSE 'its row is not what was sealed' END
    FROM ledger.entries x
    LEFT JOIN audit.audit_events e
      ON e.tenant_id = x.tenant_id AND e.created_at = x.at AND e.audit_event_id = x.id
   WHERE x.kind = 'audit' AND x.open_salt IS NOT NULL
     AND (e.audit_event_id IS NULL
       OR x.open <> ledger.commitment(x.open_salt, ledger.audit_fields(e.tenant_id, e.audit_event_id, e.erun_user_id,
            e.external_user_id, e.external_issuer_id, e.external_org_id, e.type, e.api_method, e.api_path, e.mcp_tool,
            e.cli_command, e.created_at))
       OR x.closed <> ledger.commitment(x.closed_salt, ledger.hidden_audit_fields(e)))
   UNION ALL
  SELECT x.tenant_id, x.leaf_index,
         CASE WHEN l.review_id IS NULL THEN 'its landing is gone' ELSE 'its landing is not what was sealed' END
    FROM ledger.logs g
   CROSS JOIN LATERAL (SELECT * FROM ledger.entries n WHERE n.tenant_id = g.tenant_id AND n.kind = 'landing') AS x
    LEFT JOIN LATERAL (SELECT * FROM ledger.landings(g.tenant_id) s
                        WHERE s.review_id = x.id AND s.part = x.part) AS l ON true
   WHERE x.open_salt IS NOT NULL
     AND (l.review_id IS NULL OR x.open <> ledger.commitment(x.open_salt, l.fields)
       OR x.closed <> ledger.commitment(x.closed_salt, l.hidden))
   UNION ALL
  SELECT x.tenant_id, x.leaf_index, 'its fields are withheld, and no erasure names it' FROM ledger.entries x
   WHERE x.open_salt IS NULL
     AND NOT EXISTS (SELECT FROM ledger.erasures r WHERE r.tenant_id = x.tenant_id AND r.entries @> x.leaf_index)
$$;
COMMENT ON FUNCTION ledger.altered_entries IS
  'Returns the entries whose row of the trail, or landing, is gone or says something else than was sealed, hidden fields '
  'included. Operators ask it by npm run invariants.';

CREATE FUNCTION ledger.altered_logs() RETURNS TABLE(tenant_id uuid, fault text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT l.tenant_id, 'its root is not that of its tiles' FROM ledger.logs l WHERE l.root <> ledger.root_of(l.tenant_id, l.size)
   UNION ALL
  SELECT l.tenant_id, 'it has not as many entries as its size says' FROM ledger.logs l
   WHERE l.size <> (SELECT count(*) FROM ledger.entries x WHERE x.tenant_id = l.tenant_id)
   UNION ALL
  SELECT t.tenant_id, 'a tile is not that of its entries' FROM ledger.tiles t
   WHERE t.level = 0 AND t.hashes IS DISTINCT FROM (
     SELECT string_agg(sha256('\x00'::bytea || convert_to(ledger.leaf(x.kind, x.id, x.at, x.open, x.closed), 'UTF8')),
                       ''::bytea ORDER BY x.leaf_index)
       FROM ledger.entries x WHERE x.tenant_id = t.tenant_id AND x.leaf_index >= t.tile_index * 256
        AND x.leaf_index < (t.tile_index + 1) * 256)
   UNION ALL
  SELECT l.tenant_id, 'a tile is missing, or one is too many' FROM ledger.logs l
   WHERE (l.size + 255) / 256 <> (SELECT count(*) FROM ledger.tiles t WHERE t.tenant_id = l.tenant_id AND t.level = 0)
   UNION ALL
  SELECT b.tenant_id, 'a hash of a tile is not that of the tile below it' FROM ledger.tiles b
    LEFT JOIN ledger.tiles u ON u.tenant_id = b.tenant_id AND u.level = b.level + 1 AND u.tile_index = b.tile_index / 256
   WHERE length(b.hashes) = 8192
     AND ledger.fold(b.hashes) IS DISTINCT FROM substr(u.hashes, (b.tile_index % 256)::int * 32 + 1, 32)
$$;
COMMENT ON FUNCTION ledger.altered_logs IS
  'Returns the logs whose entries, tiles, size and root do not fit together. Operators ask it by npm run invariants.';

CREATE FUNCTION ledger.late_rows(after_seconds double precision) RETURNS TABLE(tenant_id uuid, audit_event_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT e.tenant_id, e.audit_event_id
    FROM ledger.logs l
    JOIN audit.audit_events e ON e.tenant_id = l.tenant_id AND e.written_in >= l.sealed_below
   WHERE l.rescanned_at IS NULL AND l.cluster = (SELECT ledger.cluster())
     AND e.created_at < clock_timestamp() - make_interval(secs => after_seconds)
     AND NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = l.tenant_id AND c.reason <> 'disabled')
     AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                        AND x.id = e.audit_event_id AND x.part = 0 OFFSET 0)
$$;
COMMENT ON FUNCTION ledger.late_rows IS
  'Returns the rows of the trail that are older than so many seconds and not sealed, in logs that have caught up. Operators ask '
  'it by npm run invariants.';
RESET ROLE;
