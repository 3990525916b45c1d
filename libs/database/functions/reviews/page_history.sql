CREATE OR REPLACE FUNCTION reviews.page_history(tenant uuid, review uuid, before bigint, page integer) RETURNS TABLE(
  moved_at timestamp with time zone, from_status text, to_status text, cause text, actor_user_id uuid,
  actor_username text, build_id uuid, reason text, ticket bigint, queue_version bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  subject reviews.reviews;
BEGIN
  SELECT * INTO subject FROM reviews.reviews r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
  IF NOT FOUND THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
  RETURN QUERY
    -- A move begins where the one before it has ended, so one more is read than the page shows.
    SELECT e.moved_at, lead(e.to_status) OVER (ORDER BY e.version DESC), e.to_status, e.cause, e.actor,
           identity.username(subject.tenant_id, e.actor), e.build, e.reason, e.ticket, e.version
      FROM (
        (SELECT m.created_at,
                CASE WHEN m.move IN ('ready', 'requeue') THEN 'READY' WHEN m.move = 'promote' THEN 'MERGE'
                     WHEN m.move = 'fail' THEN 'FAILED' WHEN m.move = 'close' THEN 'CLOSED' ELSE 'MERGED' END,
                m.cause, m.actor_user_id, m.build_id, m.reason, m.ticket, m.version
           FROM reviews.queue_moves m
          WHERE m.tenant_id = subject.tenant_id AND m.review_id = subject.review_id
            AND m.version < coalesce(before, 9223372036854775807)
          ORDER BY m.version DESC LIMIT page + 1)
        UNION ALL
        SELECT subject.created_at, 'OPEN', 'CREATED', subject.author_user_id, NULL, NULL, NULL, 0
         WHERE coalesce(before, 1) > 0
      ) AS e (moved_at, to_status, cause, actor, build, reason, ticket, version)
     ORDER BY e.version DESC LIMIT page;
END
$$;
COMMENT ON FUNCTION reviews.page_history IS
  'Returns one page of a visible review''s moves, newest first, those below a version of its queue; the creation is '
  'the oldest, with version 0. Refuses with NOT_FOUND if no such review is visible. The reviews service calls it '
  'for GET /v1/reviews/{review_id}/history.';
REVOKE ALL ON FUNCTION reviews.page_history FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.page_history TO plat_reviews;
