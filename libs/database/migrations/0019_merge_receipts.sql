-- What a merge receipt tells beside why the merge was believed: what the landed commit is made of, which conditions
-- were met, and whether its content is that of the reviewed source.
-- Guarantees: every verification has exactly one content verdict, and none but UNKNOWN without the commit it is about.
-- On a live table: columns with constant defaults and checks over one row per merge; no row is rewritten. The release
-- before keeps working: what its reports do not name takes the defaults.

SET ROLE plat_reviews_owner;

ALTER TABLE reviews.verifications
  -- First parent and tree of commit_id, where it was read; a commit without a parent has none.
  ADD COLUMN parent_commit_id text CHECK (parent_commit_id ~ '^[0-9a-f]{40}$'),
  ADD COLUMN tree_id text CHECK (tree_id ~ '^[0-9a-f]{40}$'),
  -- Which conditions of the contract were judged and met; empty for a merge from before they were kept.
  ADD COLUMN conditions text[] NOT NULL DEFAULT '{}' CHECK (conditions <@ ARRAY['A1', 'A2', 'A3', 'B1', 'B2']),
  ADD COLUMN content_verdict text NOT NULL DEFAULT 'UNKNOWN'
    CHECK (content_verdict IN ('EXACT', 'SAME_CHANGE', 'DIVERGENT', 'UNKNOWN')),
  ADD COLUMN content_reason text DEFAULT 'not_computed' CHECK (content_reason ~ '^[a-z_]{1,40}$'),
  ADD CONSTRAINT verifications_content_reason CHECK ((content_verdict = 'EXACT') = (content_reason IS NULL)),
  ADD CONSTRAINT verifications_content_commit
    CHECK (content_verdict = 'UNKNOWN' OR num_nulls(commit_id, tree_id, source_tip) = 0),
  -- A merge through the queue names the source tip as well, where the source branch was there to be read.
  DROP CONSTRAINT verifications_check1,
  ADD CONSTRAINT verifications_source CHECK (route = 'queue' OR source_tip IS NOT NULL);

-- Records why a merge was believed, and what landed.
CREATE OR REPLACE FUNCTION reviews.record_verification(subject reviews.reviews, proof jsonb, release_error text)
RETURNS void
LANGUAGE sql VOLATILE
AS $$
  INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip,
    commit_id, parent_commit_id, tree_id, anchor_commit_id, source_tip, build_id, conditions, content_verdict,
    content_reason, release_error)
  VALUES (subject.tenant_id, subject.review_id,
    CASE WHEN subject.last_merged_build_id IS NULL THEN 'reconciled' ELSE 'queue' END,
    proof ->> 'remoteUrl', subject.repository, subject.target_branch, proof ->> 'targetTip', proof ->> 'commitId',
    proof ->> 'parentCommitId', proof ->> 'treeId', proof ->> 'anchorCommitId', proof ->> 'sourceTip',
    subject.last_merged_build_id,
    ARRAY(SELECT jsonb_array_elements_text(coalesce(proof -> 'conditions', '[]'))),
    coalesce(proof ->> 'contentVerdict', 'UNKNOWN'),
    CASE WHEN proof ? 'contentVerdict' THEN proof ->> 'contentReason' ELSE 'not_computed' END,
    release_error)
$$;

-- What a review's receipt is made of: one row for each review that the caller may see, without the fields of the
-- verification while it is not MERGED.
CREATE FUNCTION reviews.get_merge_receipt(tenant uuid, review uuid)
RETURNS TABLE (tenant_id uuid, review_id uuid, name text, status text, source_branch text, target_branch text,
               route text, conditions text[], remote_url text, repository text, target_tip text, commit_id text,
               parent_commit_id text, tree_id text, anchor_commit_id text, source_tip text, build_id uuid,
               content_verdict text, content_reason text, verified_at timestamptz)
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY
    SELECT r.tenant_id, r.review_id, r.name, r.status, r.source_branch, r.target_branch, v.route, v.conditions,
           v.remote_url, v.repository, v.target_tip, v.commit_id, v.parent_commit_id, v.tree_id, v.anchor_commit_id,
           v.source_tip, v.build_id, v.content_verdict, v.content_reason, v.created_at
      FROM reviews.reviews r
      LEFT JOIN reviews.verifications v ON v.tenant_id = r.tenant_id AND v.review_id = r.review_id
     WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
END
$$;

REVOKE ALL ON FUNCTION reviews.get_merge_receipt(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.get_merge_receipt(uuid, uuid) TO plat_reviews, plat_operations;
RESET ROLE;
