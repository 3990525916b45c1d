CREATE OR REPLACE FUNCTION reviews.record_later_content(tenant uuid, review uuid, proof jsonb) RETURNS SETOF reviews.later_contents
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO reviews.later_contents (tenant_id, review_id, parent_commit_id, tree_id, commit_id, source_tip,
    landed_commit_id, built_on_commit_id, content_verdict, content_reason, content_findings, content_findings_left_out)
  SELECT v.tenant_id, v.review_id, proof ->> 'parentCommitId', proof ->> 'treeId', proof ->> 'commitId',
         proof ->> 'sourceTip', proof ->> 'landedCommitId', proof ->> 'builtOnCommitId', proof ->> 'contentVerdict',
         proof ->> 'contentReason', coalesce(proof -> 'findings', '[]'),
         coalesce((proof ->> 'findingsLeftOut')::integer, 0)
    FROM reviews.verifications v
   WHERE v.tenant_id = tenant AND v.review_id = review AND v.content_reason = 'not_computed'
     -- Through the queue it is the commit that was reported, and no other.
     AND (v.commit_id IS NULL OR proof ->> 'commitId' IS NULL OR v.commit_id = proof ->> 'commitId')
  ON CONFLICT DO NOTHING
  RETURNING *
$$;
COMMENT ON FUNCTION reviews.record_later_content IS
  'Stores the verdict on the content of a merge whose verification did not compute it, and returns the row. No row '
  'if there is one already, if the verdict was computed with the merge, or if it is about another commit than the '
  'reported one. The reviews service calls it a little after the merge, and when a receipt is read.';
REVOKE ALL ON FUNCTION reviews.record_later_content FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.record_later_content TO plat_reviews;
