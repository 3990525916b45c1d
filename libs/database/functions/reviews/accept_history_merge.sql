CREATE OR REPLACE FUNCTION reviews.accept_history_merge(tenant uuid, review uuid, expected_status text,
                                                        expected_repo text, repo text, proof jsonb)
RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  subject reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  merged  reviews.reviews;
BEGIN
  IF subject.status IS DISTINCT FROM expected_status OR subject.repository IS DISTINCT FROM expected_repo THEN
    RETURN;
  END IF;
  PERFORM reviews.log_move(subject, 'reconcile');
  PERFORM reviews.record_verification(subject, NULL, repo, proof, NULL);
  UPDATE reviews.reviews r SET status = 'MERGED', repository = repo, ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = tenant AND r.review_id = review
  RETURNING r.* INTO STRICT merged;
  RETURN NEXT merged;
END
$$;
COMMENT ON FUNCTION reviews.accept_history_merge IS
  'Moves a review to MERGED by reconciliation as verified, and returns it; it sets no anchor and queues no release. '
  'No row, and no change, if status or repository are no longer those of the judgement. The reviews service calls it '
  'with the facts that the verifier has confirmed.';
REVOKE ALL ON FUNCTION reviews.accept_history_merge FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.accept_history_merge TO plat_reviews;
