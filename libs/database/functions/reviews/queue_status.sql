CREATE OR REPLACE FUNCTION reviews.queue_status(tenant uuid, target text, repo text, after_ticket bigint, page integer)
RETURNS TABLE(asked_at timestamp with time zone, repository text, version bigint, slot jsonb, freed_at timestamp with time zone,
  head jsonb, merges jsonb, entries jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  parts    text[] := reviews.queue_parts(tenant, target, repo);
  occupant reviews.reviews := reviews.occupant(tenant, target, parts[1], repo IS NULL);
  promoted reviews.queue_moves;
BEGIN
  asked_at := now();
  repository := parts[1];
  version := coalesce((SELECT q.version FROM reviews.queues q
                        WHERE q.tenant_id = tenant AND q.target_branch = target), 0);
  IF occupant.review_id IS NOT NULL THEN
    slot := (
      SELECT jsonb_build_object('review', to_jsonb(occupant), 'since', reviews.instant(p.moved_at),
               'readyAt', reviews.instant(e.moved_at), 'gate', (
                 SELECT jsonb_build_object('gateRunId', g.gate_run_id, 'verdict', g.verdict, 'since',
                          reviews.instant(CASE g.verdict WHEN 'RUNNING' THEN g.created_at ELSE g.updated_at END))
                   FROM reviews.gate_of_slot(tenant, occupant.review_id, p.moved_at) g))
        -- A review came to MERGE by its last move, and to READY by the one before.
        FROM reviews.move_beside(tenant, occupant.review_id, 9223372036854775807, false) p
       CROSS JOIN LATERAL reviews.move_beside(tenant, occupant.review_id, p.version, false) e);
  ELSE
    promoted := reviews.promotion_beside(tenant, target, parts, 9223372036854775807, false);
    freed_at := (SELECT n.moved_at FROM reviews.move_beside(tenant, promoted.review_id, promoted.version, true) n);
  END IF;
  head := (
    SELECT jsonb_build_object('since', reviews.instant(e.moved_at), 'openThreads', reviews.open_threads(w))
      FROM reviews.waiting_after(tenant, target, parts, 0, 1) w
     CROSS JOIN LATERAL reviews.move_beside(tenant, w.review_id, 9223372036854775807, false) e);
  merges := (
    SELECT jsonb_agg(jsonb_build_object(
             'readyAt', reviews.milliseconds(m.ready_at), 'promotedAt', reviews.milliseconds(m.promoted_at),
             'mergedAt', reviews.milliseconds(m.merged_at), 'found', (
               SELECT jsonb_build_object('turns', f.turns, 'turnReadyAt', reviews.milliseconds(f.turn_ready_at))
                 FROM reviews.found_at_entry(tenant, target, parts, m.entry_version, m.promoted_version, m.ticket) f
                WHERE m.place <= 20 AND m.ready_at >= now() - interval '7 days'))
           ORDER BY m.version DESC)
      FROM (SELECT l.*, row_number() OVER (ORDER BY l.version DESC) AS place
              FROM reviews.merges(tenant, target, parts, 0, 9223372036854775807, 51) l) AS m);
  entries := (
    SELECT jsonb_agg(to_jsonb(w) || jsonb_build_object(
             'since', reviews.instant(e.moved_at), 'openThreads', reviews.open_threads(w)) ORDER BY w.ticket)
      FROM reviews.waiting_after(tenant, target, parts, after_ticket, page) w
     CROSS JOIN LATERAL reviews.move_beside(tenant, w.review_id, 9223372036854775807, false) e);
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION reviews.queue_status IS
  'Returns one row about a queue of the tenant: its version, the review at MERGE with its clocks and gate run, when '
  'a free slot was freed, the head, the last merges with what the newest ones found when they entered, and a page '
  'of those that wait. Refuses with MERGE_QUEUE_AMBIGUOUS as reviews.queue_parts does. The reviews service calls it '
  'for GET /v1/reviews/merge-queue/status.';
REVOKE ALL ON FUNCTION reviews.queue_status FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.queue_status TO plat_reviews;
