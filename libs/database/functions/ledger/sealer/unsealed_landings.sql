CREATE OR REPLACE FUNCTION ledger.unsealed_landings(tenant uuid, start xid8)
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
  'Returns the landings (part 0) and later verdicts (part 1) without an entry, from a transaction on. '
  'ledger.seal_landings and ledger.waiting call it.';
REVOKE ALL ON FUNCTION ledger.unsealed_landings FROM PUBLIC;
