-- Where a landing is not what was reviewed, which commit brought it where another one was reported, and a verdict that
-- was computed later than its merge was verified, because the service could not compute it then.
-- Functions run with their owner's rights, as all do that a login calls; no login reads or writes the new table.
-- Guarantees: a statement of the first version stays byte for byte what it was; a place is one of at most 20; a merge has
-- at most one later verdict, and what was recorded with the merge is never changed.
-- On a live table: columns with constant defaults and checks over one row per merge; no row is rewritten. The release
-- before keeps working: its proofs name none of this, and its receipts go on as those of the first version.

SET ROLE plat_reviews_owner;

ALTER TABLE reviews.verifications
  -- Which fields its statement has; a merge from before there were several has none.
  ADD COLUMN statement_version smallint CHECK (statement_version = 2),
  -- The commit that brought the change and was judged, where it is not commit_id.
  ADD COLUMN landed_commit_id text CHECK (landed_commit_id ~ '^[0-9a-f]{40}$'),
  -- The older commit of the target on which the landing was built, where it was built on one.
  ADD COLUMN built_on_commit_id text CHECK (built_on_commit_id ~ '^[0-9a-f]{40}$'),
  -- The worst places first: objects with kind, path, in, firstLine, lastLine.
  ADD COLUMN content_findings jsonb NOT NULL DEFAULT '[]'
    CHECK (jsonb_typeof(content_findings) = 'array' AND jsonb_array_length(content_findings) <= 20),
  ADD COLUMN content_findings_left_out integer NOT NULL DEFAULT 0 CHECK (content_findings_left_out >= 0);

CREATE TABLE reviews.later_contents (
  tenant_id          uuid NOT NULL,
  review_id          uuid NOT NULL,
  parent_commit_id   text CHECK (parent_commit_id ~ '^[0-9a-f]{40}$'),
  tree_id            text CHECK (tree_id ~ '^[0-9a-f]{40}$'),
  commit_id          text CHECK (commit_id ~ '^[0-9a-f]{40}$'),
  source_tip         text CHECK (source_tip ~ '^[0-9a-f]{40}$'),
  landed_commit_id   text CHECK (landed_commit_id ~ '^[0-9a-f]{40}$'),
  built_on_commit_id text CHECK (built_on_commit_id ~ '^[0-9a-f]{40}$'),
  content_verdict    text NOT NULL CHECK (content_verdict IN ('EXACT', 'SAME_CHANGE', 'DIVERGENT', 'UNKNOWN')),
  content_reason     text CHECK (content_reason ~ '^[a-z_]{1,40}$'),
  content_findings   jsonb NOT NULL
    CHECK (jsonb_typeof(content_findings) = 'array' AND jsonb_array_length(content_findings) <= 20),
  content_findings_left_out integer NOT NULL CHECK (content_findings_left_out >= 0),
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, review_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.verifications,
  CHECK ((content_verdict = 'EXACT') = (content_reason IS NULL)),
  CHECK (content_reason IS DISTINCT FROM 'not_computed'),
  CHECK (content_verdict = 'UNKNOWN' OR num_nulls(commit_id, tree_id, source_tip) = 0)
);
RESET ROLE;
CALL tenancy.protect('reviews.later_contents');
SET ROLE plat_reviews_owner;

-- As before (0024), with what landed.
CREATE OR REPLACE FUNCTION reviews.record_verification(subject reviews.reviews, build uuid, repo text, proof jsonb,
                                                       release_error text) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip,
    commit_id, parent_commit_id, tree_id, anchor_commit_id, source_tip, build_id, conditions, content_verdict,
    content_reason, release_error, statement_version, landed_commit_id, built_on_commit_id, content_findings,
    content_findings_left_out)
  VALUES (subject.tenant_id, subject.review_id, CASE WHEN build IS NULL THEN 'reconciled' ELSE 'queue' END,
    proof ->> 'remoteUrl', repo, subject.target_branch, proof ->> 'targetTip', proof ->> 'commitId',
    proof ->> 'parentCommitId', proof ->> 'treeId', proof ->> 'anchorCommitId', proof ->> 'sourceTip', build,
    ARRAY(SELECT jsonb_array_elements_text(coalesce(proof -> 'conditions', '[]'))),
    coalesce(proof ->> 'contentVerdict', 'UNKNOWN'),
    CASE WHEN proof ? 'contentVerdict' THEN proof ->> 'contentReason' ELSE 'not_computed' END,
    release_error, (proof ->> 'statementVersion')::smallint, proof ->> 'landedCommitId', proof ->> 'builtOnCommitId',
    coalesce(proof -> 'findings', '[]'), coalesce((proof ->> 'findingsLeftOut')::integer, 0))
$$;

-- Keeps the verdict on a merge whose content was not computed when it was verified. The first one counts.
CREATE FUNCTION reviews.record_later_content(tenant uuid, review uuid, proof jsonb) RETURNS SETOF reviews.later_contents
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

-- What a review's receipt is made of: one row for each review that the caller may see, without the fields of the
-- verification while it is not MERGED.
DROP FUNCTION reviews.get_merge_receipt(uuid, uuid);
CREATE FUNCTION reviews.get_merge_receipt(tenant uuid, review uuid)
RETURNS TABLE (tenant_id uuid, review_id uuid, name text, status text, source_branch text, target_branch text,
               route text, conditions text[], remote_url text, repository text, target_tip text, commit_id text,
               parent_commit_id text, tree_id text, anchor_commit_id text, source_tip text, build_id uuid,
               content_verdict text, content_reason text, verified_at timestamptz, statement_version smallint,
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
           CASE WHEN l.review_id IS NULL THEN v.statement_version ELSE 2::smallint END,
           coalesce(l.landed_commit_id, v.landed_commit_id), coalesce(l.built_on_commit_id, v.built_on_commit_id),
           coalesce(l.content_findings, v.content_findings),
           coalesce(l.content_findings_left_out, v.content_findings_left_out), l.created_at
      FROM reviews.reviews r
      LEFT JOIN reviews.verifications v ON v.tenant_id = r.tenant_id AND v.review_id = r.review_id
      LEFT JOIN reviews.later_contents l ON l.tenant_id = v.tenant_id AND l.review_id = v.review_id
     WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
END
$$;

REVOKE ALL ON FUNCTION reviews.get_merge_receipt(uuid, uuid), reviews.record_later_content(uuid, uuid, jsonb)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.get_merge_receipt(uuid, uuid) TO plat_reviews, plat_operations;
GRANT EXECUTE ON FUNCTION reviews.record_later_content(uuid, uuid, jsonb) TO plat_reviews;
RESET ROLE;
