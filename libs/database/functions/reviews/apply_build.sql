CREATE OR REPLACE FUNCTION reviews.apply_build(tenant uuid, review uuid, build uuid, build_kind text,
                                               build_successful boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  subject reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  stored  record;
BEGIN
  SELECT f.kind, f.successful INTO stored FROM builds.build_facts(tenant, build) f WHERE f.review_id = review;
  IF stored.successful AND stored.kind = 'RECORDED' AND subject.status IN ('OPEN', 'FAILED') THEN
    subject := reviews.make_ready(subject, build);
    IF reviews.may_continue(subject) THEN
      PERFORM reviews.promote(subject);
    END IF;
  ELSIF NOT stored.successful AND subject.status NOT IN ('MERGED', 'CLOSED') THEN
    PERFORM reviews.fail(subject, build);
  END IF;
END
$$;
COMMENT ON FUNCTION reviews.apply_build IS
  'Moves a review by a build that is stored, in the transaction of its report: green and RECORDED to READY, and on '
  'to MERGE if reviews.may_continue; red of any kind to FAILED. It reads kind and outcome from the stored build and '
  'ignores its last two parameters. builds.report_review_build calls it.';
REVOKE ALL ON FUNCTION reviews.apply_build FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.apply_build TO plat_builds_owner;
