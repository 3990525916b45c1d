CREATE OR REPLACE FUNCTION reviews.queue_statistics(tenant uuid, target text, repo text, since timestamp with time zone,
  until timestamp with time zone)
RETURNS TABLE(repository text, from_time timestamp with time zone, to_time timestamp with time zone, outcomes jsonb,
  ready_to_merge jsonb, merge_to_merged jsonb, ready_to_merged jsonb, flaky_steps jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  parts   text[];
  earlier bigint;
  later   bigint;
BEGIN
  to_time := coalesce(until, now());
  from_time := coalesce(since, greatest(to_time - interval '30 days', '0001-01-01T00:00:00Z'));
  IF from_time > to_time THEN
    PERFORM tenancy.refuse('INVALID_QUERY', jsonb_build_object('field', 'since'), 'since must not be later than until.');
  ELSIF from_time < to_time - interval '90 days' THEN
    PERFORM tenancy.refuse('INVALID_QUERY', jsonb_build_object('field', 'since'),
      'since must be at most 90 days before until.');
  END IF;
  parts := reviews.history_parts(tenant, target, repo);
  repository := parts[1];
  earlier := reviews.version_at(tenant, target, from_time - interval '1 microsecond');
  later := reviews.version_at(tenant, target, to_time);
  outcomes := (
    SELECT jsonb_object_agg(counted.cause, counted.moves)
      FROM (SELECT c.cause, sum(reviews.count_moves(tenant, target, part, c.cause, later)
                                - reviews.count_moves(tenant, target, part, c.cause, earlier)) AS moves
              FROM unnest(ARRAY['BUILD_SUCCEEDED', 'PROMOTED', 'PROMOTED_BY_OVERRIDE', 'MERGED', 'RECONCILED',
                                'GATE_FAILED', 'BUILD_FAILED', 'REQUEUED', 'CLOSED']) AS c (cause),
                   unnest(parts) AS part
             GROUP BY c.cause) AS counted);
  SELECT reviews.durations(array_agg(extract(epoch FROM m.promoted_at - m.ready_at)::double precision)),
         reviews.durations(array_agg(extract(epoch FROM m.merged_at - m.promoted_at)::double precision)),
         reviews.durations(array_agg(extract(epoch FROM m.merged_at - m.ready_at)::double precision))
    INTO ready_to_merge, merge_to_merged, ready_to_merged
    FROM reviews.merges(tenant, target, parts, earlier + 1, later, 200) m;
  flaky_steps := reviews.flaky_steps(tenant, target, parts, from_time, to_time);
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION reviews.queue_statistics IS
  'Returns one row about a time of 90 days at most, by default the last 30: how many moves of each cause a queue of '
  'the tenant had, how long the newest 200 merges took, and its flaky steps. Refuses with INVALID_QUERY a time that '
  'is longer or ends before it begins, and with MERGE_QUEUE_AMBIGUOUS as reviews.history_parts does. The reviews '
  'service calls it for GET /v1/reviews/merge-queue/statistics.';
REVOKE ALL ON FUNCTION reviews.queue_statistics FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.queue_statistics TO plat_reviews;
