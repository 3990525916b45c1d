CREATE OR REPLACE FUNCTION reviews.get_merge_receipt(tenant uuid, review uuid)
RETURNS TABLE (tenant_id uuid, review_id uuid, name text, status text, source_branch text, target_branch text,
               route text, conditions text[], remote_url text, repository text, target_tip text, commit_id text,
               parent_commit_id text, tree_id text, anchor_commit_id text, source_tip text, build_id uuid,
               content_verdict text, content_reason text, verified_at timestamptz,
               landed_commit_id text, built_on_commit_id text, content_findings jsonb,
               content_findings_left_out integer, content_judged_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT r.tenant_id, r.review_id, r.name, r.status, r.source_branch, r.target_branch, v.route, v.conditions,
           v.remote_url, v.repository, v.target_tip, coalesce(v.commit_id, l.commit_id),
           coalesce(v.parent_commit_id, l.parent_commit_id), coalesce(v.tree_id, l.tree_id), v.anchor_commit_id,
           coalesce(v.source_tip, l.source_tip), v.build_id,
           coalesce(l.content_verdict, v.content_verdict),
           CASE WHEN l.review_id IS NULL THEN v.content_reason ELSE l.content_reason END, v.created_at,
           coalesce(l.landed_commit_id, v.landed_commit_id), coalesce(l.built_on_commit_id, v.built_on_commit_id),
           coalesce(l.content_findings, v.content_findings),
           coalesce(l.content_findings_left_out, v.content_findings_left_out), l.created_at
      FROM reviews.reviews r
      LEFT JOIN reviews.verifications v ON v.tenant_id = r.tenant_id AND v.review_id = r.review_id
      LEFT JOIN reviews.later_contents l ON l.tenant_id = v.tenant_id AND l.review_id = v.review_id
     WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
END
$$;
COMMENT ON FUNCTION reviews.get_merge_receipt IS
  'Returns what the receipt of a visible review is made of: the review, its verification and, if there is one, its '
  'later verdict. Before MERGED the fields of the verification are NULL. The reviews service calls it for GET '
  '/v1/reviews/{review_id}/merge-receipt and for a later verdict.';
REVOKE ALL ON FUNCTION reviews.get_merge_receipt FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.get_merge_receipt TO plat_reviews;
