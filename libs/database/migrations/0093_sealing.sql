-- What gives rows of the trail, landings, keys and erasures their entries.
-- Guarantees: each is given one entry, and none is passed over. One call adds a bounded number.
-- Functions only; runs in milliseconds.

GRANT CREATE ON SCHEMA ledger TO plat_ledger_sealer;
SET ROLE plat_ledger_sealer;

CREATE FUNCTION ledger.open_of(e audit.audit_events, salt bytea) RETURNS bytea
LANGUAGE sql STABLE
RETURN ledger.commitment(salt, ledger.audit_fields((e).tenant_id, (e).audit_event_id, (e).erun_user_id, (e).external_user_id,
  (e).external_issuer_id, (e).external_org_id, (e).type, (e).api_method, (e).api_path, (e).mcp_tool, (e).cli_command,
  (e).created_at));
COMMENT ON FUNCTION ledger.open_of IS
  'Returns the commitment to the fields of a row of the trail that callers see. What seals and what erases calls it.';

-- OFFSET 0 in a NOT EXISTS keeps it a look by key for each row: as a join it might read a whole log for each batch.

CREATE FUNCTION ledger.seal_audit_rows(log ledger.logs, horizon xid8, first bigint, most int,
  OUT sealed int, OUT more boolean, OUT below xid8)
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
           (p.e).audit_event_id, (p.e).created_at, p.s1, p.s2, ledger.open_of(p.e, p.s1),
           ledger.commitment(p.s2, ledger.hidden_audit_fields(p.e))
      FROM picked p)
  SELECT (SELECT count(*) FROM picked), (SELECT count(*) FROM found),
         (SELECT (f.e).written_in FROM found f ORDER BY (f.e).written_in DESC LIMIT 1) INTO sealed, seen, last;
  more := seen = most;
  below := CASE WHEN more THEN last ELSE horizon END;
END
$$;
COMMENT ON FUNCTION ledger.seal_audit_rows IS
  'Gives the unsealed rows of the trail whose transaction is before the horizon their entries, at most so many, and returns '
  'how many, whether some may be left, and the transaction before which none is. ledger.seal_log calls it.';

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
           (p.e).audit_event_id, (p.e).created_at, p.s1, p.s2, ledger.open_of(p.e, p.s1),
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
  'a restore or a move its number means nothing. Returns how many, and the last row that it looked at; NULL at the end. '
  'ledger.seal_log calls it.';

CREATE FUNCTION ledger.unsealed_landings(tenant uuid, start xid8)
RETURNS TABLE(review_id uuid, part smallint, at timestamptz, written_in xid8)
LANGUAGE sql STABLE
AS $$
  SELECT w.* FROM (
    SELECT v.review_id, 0::smallint AS part, v.created_at, v.written_in FROM reviews.verifications v
     WHERE v.tenant_id = tenant AND v.written_in >= start AND v.written_in < pg_snapshot_xmax(pg_current_snapshot())
     UNION ALL
    SELECT c.review_id, 1::smallint, c.created_at, c.written_in FROM reviews.later_contents c
     WHERE c.tenant_id = tenant AND c.written_in >= start AND c.written_in < pg_snapshot_xmax(pg_current_snapshot())) AS w
   WHERE NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = tenant AND x.kind = 'landing' AND x.id = w.review_id
                        AND x.part = w.part OFFSET 0)
$$;
COMMENT ON FUNCTION ledger.unsealed_landings IS
  'Returns the landings (part 0) and later verdicts (part 1) of a transaction or one after it that have no entry. What seals '
  'landings, and what says that they wait, calls it.';

CREATE FUNCTION ledger.seal_landings(log ledger.logs, horizon xid8, first bigint, most int,
  OUT sealed int, OUT more boolean, OUT below xid8, OUT last_review uuid)
LANGUAGE plpgsql
AS $$
DECLARE
  fresh   record;
  old     record;
BEGIN
  SELECT count(*) AS seen, coalesce(array_agg(f.review_id), '{}') AS reviews,
         (array_agg(f.written_in ORDER BY f.written_in DESC))[1] AS last INTO fresh
    FROM (SELECT * FROM ledger.unsealed_landings(log.tenant_id, log.landed_below) u ORDER BY u.written_in LIMIT most) AS f;
  more := fresh.seen = most;
  -- One that is written by a transaction after the horizon is found again, by its key.
  below := CASE WHEN more THEN least(fresh.last, horizon) ELSE horizon END;
  last_review := log.rescanned_review;
  IF log.rescanned_review IS NOT NULL AND NOT more THEN
    SELECT count(*) AS seen, coalesce(array_agg(l.review_id), '{}') AS reviews,
           (array_agg(l.review_id ORDER BY l.review_id DESC))[1] AS last INTO old
      FROM (SELECT v.review_id FROM reviews.verifications v
             WHERE v.tenant_id = log.tenant_id AND v.review_id > log.rescanned_review
             ORDER BY v.review_id LIMIT most - fresh.seen) AS l;
    fresh.reviews := fresh.reviews || old.reviews;
    -- Fewer than there was room for: the last one was reached.
    more := old.seen = most - fresh.seen;
    last_review := CASE WHEN more THEN old.last END;
  END IF;
  INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, part, at, open_salt, closed_salt, open, closed)
  SELECT log.tenant_id, first + row_number() OVER (ORDER BY p.at, p.part) - 1, 'landing', p.review_id, p.part, p.at,
         p.s1, p.s2, ledger.commitment(p.s1, p.fields), ledger.commitment(p.s2, p.hidden)
    FROM (SELECT l.*, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
            FROM ledger.landings(log.tenant_id) l
           WHERE l.review_id = ANY (fresh.reviews)
             AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = log.tenant_id AND x.kind = 'landing'
                                AND x.id = l.review_id AND x.part = l.part OFFSET 0)) AS p;
  GET DIAGNOSTICS sealed = ROW_COUNT;
END
$$;
COMMENT ON FUNCTION ledger.seal_landings IS
  'Gives unsealed landings of a tenant their entries, with their later verdicts, of so many reviews at most: new ones as soon as '
  'they are there, and those that a rescan comes to, in the order of their reviews. Returns how many, whether some may be left, '
  'the transaction before which none is, and the last review of the rescan; NULL at its end. ledger.seal_log calls it.';

CREATE FUNCTION ledger.seal_keys(log ledger.logs, signing_keys bytea[], first bigint) RETURNS int
LANGUAGE plpgsql
AS $$
DECLARE
  sealed int;
BEGIN
  INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed, public_key)
  SELECT log.tenant_id, first + row_number() OVER (ORDER BY k.place) - 1, 'key', gen_random_uuid(), clock_timestamp(), k.s1,
         k.s2, ledger.commitment(k.s1, ledger.key_fields(k.key)), ledger.commitment(k.s2, '{}'), k.key
    FROM (SELECT u.key, u.place, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
            FROM unnest(signing_keys) WITH ORDINALITY AS u (key, place) WHERE u.key <> ALL (log.keys)) AS k;
  GET DIAGNOSTICS sealed = ROW_COUNT;
  RETURN sealed;
END
$$;
COMMENT ON FUNCTION ledger.seal_keys IS
  'Gives the keys that a log does not have yet their entries, and returns how many. ledger.seal_log calls it.';

CREATE FUNCTION ledger.seal_erasures(log ledger.logs, first bigint, most int) RETURNS int
LANGUAGE plpgsql
AS $$
DECLARE
  sealed int;
BEGIN
  WITH picked AS MATERIALIZED (
    SELECT r.*, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2 FROM ledger.erasures r
     WHERE r.tenant_id = log.tenant_id AND NOT r.sealed ORDER BY r.erased_at, r.erasure_id LIMIT most),
  marked AS (
    UPDATE ledger.erasures r SET sealed = true FROM picked p
     WHERE r.tenant_id = log.tenant_id AND r.erasure_id = p.erasure_id)
  INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed)
  SELECT log.tenant_id, first + row_number() OVER (ORDER BY p.erased_at, p.erasure_id) - 1, 'erasure', p.erasure_id,
         p.erased_at, p.s1, p.s2, ledger.commitment(p.s1, ledger.erasure_fields(p.entries, p.reason)),
         ledger.commitment(p.s2, '{}')
    FROM picked p;
  GET DIAGNOSTICS sealed = ROW_COUNT;
  RETURN sealed;
END
$$;
COMMENT ON FUNCTION ledger.seal_erasures IS
  'Gives unsealed erasures of a tenant their entries, at most so many, and returns how many. ledger.seal_log calls it.';

REVOKE ALL ON FUNCTION ledger.open_of(audit.audit_events, bytea),
  ledger.seal_audit_rows(ledger.logs, xid8, bigint, int), ledger.rescan_audit_rows(ledger.logs, bigint, int),
  ledger.unsealed_landings(uuid, xid8), ledger.seal_landings(ledger.logs, xid8, bigint, int),
  ledger.seal_keys(ledger.logs, bytea[], bigint), ledger.seal_erasures(ledger.logs, bigint, int) FROM PUBLIC;
RESET ROLE;
REVOKE CREATE ON SCHEMA ledger FROM plat_ledger_sealer;
