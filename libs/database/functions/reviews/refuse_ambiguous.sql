CREATE OR REPLACE FUNCTION reviews.refuse_ambiguous(tenant uuid, target text) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  WITH RECURSIVE named AS (
    SELECT reviews.next_waiting_repository(tenant, target, '') AS repository
    UNION ALL
    SELECT reviews.next_waiting_repository(tenant, target, named.repository) FROM named
     WHERE named.repository IS NOT NULL
  )
  SELECT tenancy.refuse('MERGE_QUEUE_AMBIGUOUS', jsonb_build_object(
    'targetBranch', target,
    'repositories', (SELECT jsonb_agg(named.repository ORDER BY named.repository) FROM named
                      WHERE named.repository IS NOT NULL),
    'unrecordedRepositoryReviewIds', coalesce((
       SELECT jsonb_agg(r.review_id ORDER BY r.ticket) FROM reviews.reviews r
        WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository IS NULL AND r.status = 'READY'), '[]')))
$$;
COMMENT ON FUNCTION reviews.refuse_ambiguous IS
  'Refuses with MERGE_QUEUE_AMBIGUOUS, whose details name the repositories that wait and the waiting reviews that '
  'record none. reviews.look_at_head calls it.';
REVOKE ALL ON FUNCTION reviews.refuse_ambiguous FROM PUBLIC;
