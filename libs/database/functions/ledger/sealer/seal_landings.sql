CREATE OR REPLACE FUNCTION ledger.seal_landings(log ledger.logs, horizon xid8, first bigint, most int,
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
  -- A landing of a transaction after the horizon is found again by its key.
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
         p.s1, p.s2, ledger.commitment(p.s1, p.statement), ledger.commitment(p.s2, p.hidden)
    FROM (SELECT l.*, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
            FROM reviews.merge_statements(log.tenant_id) l
           WHERE l.review_id = ANY (fresh.reviews)
             AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = log.tenant_id AND x.kind = 'landing'
                                AND x.id = l.review_id AND x.part = l.part OFFSET 0)) AS p;
  GET DIAGNOSTICS sealed = ROW_COUNT;
END
$$;
COMMENT ON FUNCTION ledger.seal_landings IS
  'Gives unsealed landings of a tenant their entries, with their later verdicts, of at most the given number of '
  'reviews. It seals new ones as soon as they are there, and those that a rescan reaches, in the order of their '
  'reviews. Returns how many, whether some may be left, the transaction before which none is left, and the last '
  'review of the rescan; NULL at its end. ledger.seal_log calls it.';
REVOKE ALL ON FUNCTION ledger.seal_landings FROM PUBLIC;
