CREATE OR REPLACE FUNCTION reviews.accept_queue_merge(tenant uuid, review uuid, build uuid, release uuid, expected_repo text, repo text, proof jsonb)
 RETURNS TABLE(merged reviews.reviews, release_error text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
DECLARE
  subject  reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  sequence bigint;
BEGIN
  IF subject.status IS DISTINCT FROM 'MERGE' OR subject.repository IS DISTINCT FROM expected_repo
     OR reviews.anchor(tenant, subject.target_branch, repo) IS DISTINCT FROM proof ->> 'anchorCommitId' THEN
    RETURN;
  END IF;
  sequence := reviews.log_move(subject, 'merge', build);
  -- The block is the savepoint. Rule B13.
  BEGIN
    PERFORM releases.enqueue(tenant, release, review, subject.target_branch, proof ->> 'commitId');
  EXCEPTION WHEN OTHERS THEN
    release_error := SQLERRM;
  END;
  PERFORM reviews.record_verification(subject, build, repo, proof, release_error);
  UPDATE reviews.reviews r
     SET status = 'MERGED', repository = repo, last_merged_build_id = build, merge_sequence = sequence,
         merged_commit_id = proof ->> 'commitId', updated_at = clock_timestamp()
   WHERE r.tenant_id = tenant AND r.review_id = review
  RETURNING r.* INTO STRICT merged;
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION reviews.accept_queue_merge IS
  'Moves a review from MERGE to MERGED as verified, queues its release under a savepoint, and returns the review with '
  'the error of the release, if any. No row, and no change, if status, repository or anchor are no longer those of '
  'the judgement. The reviews service calls it with the facts that the verifier has confirmed.';
REVOKE ALL ON FUNCTION reviews.accept_queue_merge FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.accept_queue_merge TO plat_reviews;
