CREATE OR REPLACE FUNCTION reviews.judge_ground(former reviews.reviews, moved reviews.reviews) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  other_build boolean := moved.last_ready_build_id IS DISTINCT FROM former.last_ready_build_id;
BEGIN
  PERFORM reviews.expect(moved.status = 'READY' OR NOT other_build, 'a review becomes READY by a build, and by nothing else');
  IF moved.status = 'READY' AND (other_build OR former.status <> 'MERGE') THEN
    PERFORM reviews.expect(EXISTS (
        SELECT FROM builds.build_facts(moved.tenant_id, moved.last_ready_build_id) f
         WHERE f.review_id = moved.review_id AND f.successful),
      'READY rests on a successful build of the review');
  ELSIF moved.status = 'FAILED' THEN
    PERFORM reviews.expect(EXISTS (
        SELECT FROM builds.build_facts(moved.tenant_id, moved.last_failed_build_id) f
         WHERE f.review_id = moved.review_id AND NOT f.successful),
      'FAILED rests on a failed build of the review');
  ELSIF moved.status = 'MERGED' THEN
    PERFORM reviews.expect(EXISTS (
        SELECT FROM reviews.verifications v
         WHERE v.tenant_id = moved.tenant_id AND v.review_id = moved.review_id AND v.repository = moved.repository
           AND (v.route = 'queue') = (former.status = 'MERGE')
           AND v.build_id IS NOT DISTINCT FROM moved.last_merged_build_id
           AND (v.route = 'reconciled' OR v.commit_id = moved.merged_commit_id)),
      'MERGED rests on the record of its verification');
  END IF;
END
$$;
COMMENT ON FUNCTION reviews.judge_ground IS
  'Raises integrity_constraint_violation unless READY rests on a green build of the review, FAILED on a red one, '
  'and MERGED on the record of its verification. reviews.judge_move calls it.';
REVOKE ALL ON FUNCTION reviews.judge_ground FROM PUBLIC;
