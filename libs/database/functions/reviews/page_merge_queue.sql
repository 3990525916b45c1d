CREATE OR REPLACE FUNCTION reviews.page_merge_queue(tenant uuid, repo text, target text, as_of timestamptz, after_target text,
  after_ticket bigint, after_tenant uuid, page int) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.reviews e',
    ' AND e.status = ''READY'''
    || CASE WHEN repo IS NOT NULL THEN ' AND e.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $3' ELSE '' END
    || CASE WHEN after_ticket IS NOT NULL
            THEN ' AND e.updated_at <= $4 AND (e.target_branch, e.ticket, e.tenant_id) > ($5, $6, $7)' ELSE '' END,
    'e.target_branch, e.ticket, e.tenant_id', '$8')
    USING tenant, repo, target, as_of, after_target, after_ticket, after_tenant, page;
END
$$;
COMMENT ON FUNCTION reviews.page_merge_queue IS
  'Returns one page of the reviews that wait, each queue in its order, after the given place; a later page leaves '
  'out a review that has moved since the moment as_of of the first page. The reviews service calls it for GET '
  '/v1/reviews/merge-queue.';
REVOKE ALL ON FUNCTION reviews.page_merge_queue FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.page_merge_queue TO plat_reviews;
