CREATE OR REPLACE FUNCTION reviews.record_verification(subject reviews.reviews, build uuid, repo text, proof jsonb,
                                                       release_error text) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip,
    commit_id, parent_commit_id, tree_id, anchor_commit_id, source_tip, build_id, conditions, content_verdict,
    content_reason, release_error, landed_commit_id, built_on_commit_id, content_findings,
    content_findings_left_out)
  VALUES (subject.tenant_id, subject.review_id, CASE WHEN build IS NULL THEN 'reconciled' ELSE 'queue' END,
    proof ->> 'remoteUrl', repo, subject.target_branch, proof ->> 'targetTip', proof ->> 'commitId',
    proof ->> 'parentCommitId', proof ->> 'treeId', proof ->> 'anchorCommitId', proof ->> 'sourceTip', build,
    ARRAY(SELECT jsonb_array_elements_text(coalesce(proof -> 'conditions', '[]'))),
    coalesce(proof ->> 'contentVerdict', 'UNKNOWN'),
    CASE WHEN proof ? 'contentVerdict' THEN proof ->> 'contentReason' ELSE 'not_computed' END,
    release_error, proof ->> 'landedCommitId', proof ->> 'builtOnCommitId',
    coalesce(proof -> 'findings', '[]'), coalesce((proof ->> 'findingsLeftOut')::integer, 0));
  INSERT INTO reviews.undone_work (tenant_id, review_id) VALUES (subject.tenant_id, subject.review_id)
$$;
COMMENT ON FUNCTION reviews.record_verification IS
  'Stores why a merge is believed, before its review becomes MERGED, and that its undone work is to be examined. The '
  'proof is a JSON object in the fields of MergeProof (apps/reviews); without a build the merge is a reconciliation.';
REVOKE ALL ON FUNCTION reviews.record_verification FROM PUBLIC;
