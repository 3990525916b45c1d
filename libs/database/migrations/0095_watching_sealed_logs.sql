-- What says that sealing waits too long, or that a sealed log was altered.
-- Guarantees: it reads only; /metrics learns sums over all tenants, and nothing of one.
-- Functions only; runs in milliseconds.

GRANT CREATE ON SCHEMA ledger TO plat_ledger_sealer;
SET ROLE plat_ledger_sealer;

CREATE FUNCTION ledger.figures(OUT logs bigint, OUT waiting bigint, OUT oldest_seconds double precision,
  OUT catching_up bigint, OUT unsigned_seconds double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(l.tenant_id), coalesce(sum(w.rows), 0)::bigint,
         coalesce(max(extract(epoch FROM clock_timestamp() - CASE WHEN l.tenant_id IS NULL
           THEN (SELECT e.created_at FROM audit.audit_events e
                  WHERE e.tenant_id = t.tenant_id AND e.written_in >= '0' ORDER BY e.written_in LIMIT 1)
           ELSE least(w.oldest, d.oldest, r.oldest) END)), 0)::double precision,
         count(*) FILTER (WHERE l.rescanned_at IS NOT NULL OR l.rescanned_review IS NOT NULL
                             OR l.cluster <> (SELECT ledger.cluster())),
         coalesce(max(extract(epoch FROM clock_timestamp() - l.unsigned_since)), 0)::double precision
    FROM identity.tenants t
    LEFT JOIN ledger.logs l ON l.tenant_id = t.tenant_id
   CROSS JOIN LATERAL (
     SELECT count(*) AS rows, min(n.created_at) AS oldest
       FROM (SELECT e.created_at FROM audit.audit_events e
              -- A number of a transaction that is larger than all of this cluster's is another one's: a rescan finds its row.
              WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below
                AND e.written_in < pg_snapshot_xmax(pg_current_snapshot()) AND l.cluster = (SELECT ledger.cluster())
                AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                                   AND x.id = e.audit_event_id AND x.part = 0 OFFSET 0)
              ORDER BY e.written_in LIMIT 10000) AS n) AS w
   CROSS JOIN LATERAL (
     SELECT min(n.at) AS oldest
       FROM (SELECT u.at FROM ledger.unsealed_landings(t.tenant_id, l.landed_below) u
              WHERE l.cluster = (SELECT ledger.cluster()) LIMIT 10000) AS n) AS d
   CROSS JOIN LATERAL (
     SELECT min(n.erased_at) AS oldest FROM ledger.erasures n WHERE n.tenant_id = t.tenant_id AND NOT n.sealed) AS r
   WHERE NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = t.tenant_id AND c.reason <> 'disabled')
$$;
COMMENT ON FUNCTION ledger.figures IS
  'Returns, over all tenants, how many logs there are, how many rows of the trail are not sealed (10000 a tenant at most), the '
  'age in seconds of the oldest row, landing or erasure that is not, how many logs are catching up with rows from before, and for '
  'how long the stored size of a log has been unsigned. The audit service shows it at /metrics.';

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
       OR x.open <> ledger.open_of(e, x.open_salt)
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
   UNION ALL
  SELECT l.tenant_id, 'its checkpoint is not of its first entries' FROM ledger.logs l
   WHERE l.note IS NOT NULL
     AND (l.note_size > l.size
       OR NOT starts_with(l.note, ledger.checkpoint_text(l.origin, l.note_size, ledger.root_of(l.tenant_id, l.note_size))))
$$;
COMMENT ON FUNCTION ledger.altered_logs IS
  'Returns the logs whose entries, tiles, size, root and checkpoint do not fit together. Operators ask it by npm run invariants.';

CREATE FUNCTION ledger.late_rows(after_seconds double precision)
RETURNS TABLE(tenant_id uuid, kind text, id uuid, at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH logs AS (
    SELECT l.*, clock_timestamp() - make_interval(secs => after_seconds) AS due FROM ledger.logs l
     WHERE l.cluster = (SELECT ledger.cluster())
       AND NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = l.tenant_id AND c.reason <> 'disabled'))
  -- Whatever transaction a row or a landing names, and a row with its time: whoever put it in by hand may have named another's.
  SELECT e.tenant_id, 'audit', e.audit_event_id, e.created_at
    FROM logs l
    JOIN audit.audit_events e ON e.tenant_id = l.tenant_id AND e.created_at < l.due
   WHERE l.rescanned_at IS NULL
     AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                        AND x.id = e.audit_event_id AND x.part = 0 AND x.at = e.created_at)
   UNION ALL
  SELECT l.tenant_id, 'landing', w.review_id, w.created_at
    FROM logs l
    JOIN (SELECT v.tenant_id, v.review_id, 0::smallint AS part, v.created_at FROM reviews.verifications v
           UNION ALL
          SELECT c.tenant_id, c.review_id, 1::smallint, c.created_at FROM reviews.later_contents c) AS w
      ON w.tenant_id = l.tenant_id AND w.created_at < l.due
   WHERE l.rescanned_review IS NULL
     AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = w.tenant_id AND x.kind = 'landing'
                        AND x.id = w.review_id AND x.part = w.part)
   UNION ALL
  SELECT r.tenant_id, 'erasure', r.erasure_id, r.erased_at
    FROM logs l JOIN ledger.erasures r ON r.tenant_id = l.tenant_id AND r.erased_at < l.due
   WHERE NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = r.tenant_id AND x.kind = 'erasure'
                        AND x.id = r.erasure_id AND x.part = 0 OFFSET 0)
$$;
COMMENT ON FUNCTION ledger.late_rows IS
  'Returns the rows of the trail and the landings that are older than so many seconds and not sealed, in logs that have caught up, '
  'and such erasures. Operators ask it by npm run invariants.';

REVOKE ALL ON FUNCTION ledger.figures(), ledger.altered_entries(), ledger.altered_logs(), ledger.late_rows(double precision)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.figures() TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.altered_entries(), ledger.altered_logs(), ledger.late_rows(double precision)
   TO plat_inspector;
RESET ROLE;
REVOKE CREATE ON SCHEMA ledger FROM plat_ledger_sealer;
