CREATE OR REPLACE FUNCTION reviews.found_at_entry(tenant uuid, target text, parts text[], entry bigint, promoted bigint, place bigint)
RETURNS TABLE(turns bigint, turn_ready_at timestamp with time zone)
LANGUAGE plpgsql STABLE ROWS 1
AS $$
DECLARE
  holder reviews.queue_moves;
  held   boolean;
BEGIN
  -- Bounds the rows that are read.
  IF promoted - entry > 1000 THEN
    RETURN;
  END IF;
  holder := reviews.promotion_beside(tenant, target, parts, entry, false);
  -- Each review that waited before it left the line until its promotion, with its own, lower ticket.
  turns := (SELECT count(*) FROM reviews.queue_moves m
             WHERE m.tenant_id = tenant AND m.target_branch = target AND m.version > entry AND m.version < promoted
               AND m.ticket < place AND m.move NOT IN ('ready', 'requeue')
               AND (m.repository = parts[1] OR m.repository IS NULL AND parts[cardinality(parts)] IS NULL));
  held := holder.version IS NOT NULL
    AND coalesce((SELECT n.version FROM reviews.move_beside(tenant, holder.review_id, holder.version, true) n), entry + 1) > entry;
  IF NOT held THEN
    -- The slot was free, so the next one to be promoted was at the head: the review itself, or one before it.
    holder := reviews.promotion_beside(tenant, target, parts, entry, true);
  END IF;
  turn_ready_at := (SELECT n.moved_at FROM reviews.move_beside(tenant, holder.review_id, holder.version, false) n);
  turns := turns + 1 + held::int;
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION reviews.found_at_entry IS
  'Returns the state of a queue when a review entered it: the number of turns ahead, with its own and that of the '
  'slot, and when the review at the turn had entered. No row if the wait took more than 1000 moves of the target '
  'branch. A review that was at the head and left the line without a promotion is overlooked. reviews.queue_status '
  'calls it.';
REVOKE ALL ON FUNCTION reviews.found_at_entry FROM PUBLIC;
