-- How a review becomes MERGED: what is read before git is asked, and what is written when git has confirmed it.
-- Guarantees: the result of a verification is applied only to what it was judged on (status, repository, anchor);
-- the release is queued in the same transaction under a savepoint, so that a crash loses neither.

SET ROLE plat_reviews_owner;

-- The merge commit that the next one on this target must descend from; NULL when none has come through the queue.
-- Spec: API, MERGED report verification, A3; decision B9.
CREATE FUNCTION reviews.anchor(tenant uuid, target text, repo text) RETURNS text
LANGUAGE sql STABLE
AS $$
  SELECT r.merged_commit_id FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository = repo AND r.merge_sequence IS NOT NULL
   ORDER BY r.merge_sequence DESC LIMIT 1
$$;

-- Everything that a MERGED report is judged on beside the repository itself, read at one moment.
CREATE FUNCTION reviews.merge_case(tenant uuid, review uuid, build uuid, repo text)
RETURNS TABLE (subject reviews.reviews, build_review_id uuid, build_kind text, build_successful boolean,
               build_commit_id text, anchor_commit_id text)
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY
    SELECT r, b.review_id, b.kind, b.successful, b.commit_id, reviews.anchor(tenant, r.target_branch, repo)
      FROM reviews.reviews r LEFT JOIN LATERAL builds.build_facts(tenant, build) b ON true
     WHERE r.tenant_id = tenant AND r.review_id = review;
END
$$;

-- Records why a merge was believed.
CREATE FUNCTION reviews.record_verification(subject reviews.reviews, proof jsonb, release_error text) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip,
    commit_id, anchor_commit_id, source_tip, build_id, release_error)
  VALUES (subject.tenant_id, subject.review_id,
    CASE WHEN subject.last_merged_build_id IS NULL THEN 'reconciled' ELSE 'queue' END,
    proof ->> 'remoteUrl', subject.repository, subject.target_branch, proof ->> 'targetTip', proof ->> 'commitId',
    proof ->> 'anchorCommitId', proof ->> 'sourceTip', subject.last_merged_build_id, release_error)
$$;

-- MERGED through the queue, as verified: `proof` names remoteUrl, targetTip, commitId and anchorCommitId. No row when
-- the review or the anchor has moved since `expected_repo` and the proof were read: the report is then judged again.
CREATE FUNCTION reviews.accept_queue_merge(tenant uuid, review uuid, build uuid, release uuid, expected_repo text,
                                           repo text, proof jsonb)
RETURNS TABLE (merged reviews.reviews, release_error text)
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  subject  reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  sequence bigint;
BEGIN
  IF subject.status IS DISTINCT FROM 'MERGE' OR subject.repository IS DISTINCT FROM expected_repo
     OR reviews.anchor(tenant, subject.target_branch, repo) IS DISTINCT FROM proof ->> 'anchorCommitId' THEN
    RETURN;
  END IF;
  sequence := reviews.log_move(subject, 'merge');
  UPDATE reviews.reviews r
     SET status = 'MERGED', repository = repo, last_merged_build_id = build, merge_sequence = sequence,
         merged_commit_id = proof ->> 'commitId', updated_at = clock_timestamp()
   WHERE r.tenant_id = tenant AND r.review_id = review
  RETURNING r.* INTO STRICT merged;
  -- The block is the savepoint. Decision B13.
  BEGIN
    PERFORM releases.enqueue(tenant, release, review, merged.target_branch, merged.merged_commit_id);
  EXCEPTION WHEN OTHERS THEN
    release_error := SQLERRM;
  END;
  PERFORM reviews.record_verification(merged, proof, release_error);
  RETURN NEXT;
END
$$;

-- MERGED by reconciliation, as verified: `proof` names remoteUrl, targetTip and sourceTip. No row when the review has
-- moved since. It sets no anchor and queues no release. Spec: API, MERGED report verification, B.
CREATE FUNCTION reviews.accept_history_merge(tenant uuid, review uuid, expected_status text, expected_repo text,
                                             repo text, proof jsonb) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  subject reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  merged  reviews.reviews;
BEGIN
  IF subject.status IS DISTINCT FROM expected_status OR subject.repository IS DISTINCT FROM expected_repo THEN
    RETURN;
  END IF;
  PERFORM reviews.log_move(subject, 'reconcile');
  UPDATE reviews.reviews r SET status = 'MERGED', repository = repo, ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = tenant AND r.review_id = review
  RETURNING r.* INTO STRICT merged;
  PERFORM reviews.record_verification(merged, proof, NULL);
  RETURN NEXT merged;
END
$$;

REVOKE ALL ON FUNCTION reviews.anchor(uuid, text, text), reviews.merge_case(uuid, uuid, uuid, text),
  reviews.record_verification(reviews.reviews, jsonb, text),
  reviews.accept_queue_merge(uuid, uuid, uuid, uuid, text, text, jsonb),
  reviews.accept_history_merge(uuid, uuid, text, text, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.anchor(uuid, text, text), reviews.merge_case(uuid, uuid, uuid, text),
  reviews.record_verification(reviews.reviews, jsonb, text),
  reviews.accept_queue_merge(uuid, uuid, uuid, uuid, text, text, jsonb),
  reviews.accept_history_merge(uuid, uuid, text, text, text, jsonb) TO plat_reviews;
RESET ROLE;
