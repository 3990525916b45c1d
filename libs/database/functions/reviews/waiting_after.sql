CREATE OR REPLACE FUNCTION reviews.waiting_after(tenant uuid, target text, parts text[], after_ticket bigint, page integer)
RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  -- A statement for each kind of part, because IS NOT DISTINCT FROM cannot use an index.
  RETURN QUERY
    SELECT w.* FROM (
      (SELECT r.* FROM reviews.reviews r
        WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository = parts[1] AND r.status = 'READY'
          AND r.ticket > after_ticket
        ORDER BY r.ticket LIMIT page)
      UNION ALL
      (SELECT r.* FROM reviews.reviews r
        WHERE parts[cardinality(parts)] IS NULL AND r.tenant_id = tenant AND r.target_branch = target
          AND r.repository IS NULL AND r.status = 'READY' AND r.ticket > after_ticket
        ORDER BY r.ticket LIMIT page)) AS w
     ORDER BY w.ticket LIMIT page;
END
$$;
COMMENT ON FUNCTION reviews.waiting_after IS
  'Returns the reviews of a queue that wait, in its order, after a ticket. reviews.queue_status calls it.';
REVOKE ALL ON FUNCTION reviews.waiting_after FROM PUBLIC;
