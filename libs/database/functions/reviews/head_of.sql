CREATE OR REPLACE FUNCTION reviews.head_of(tenant uuid, target text, repo text) RETURNS reviews.reviews
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  head reviews.reviews;
BEGIN
  -- Two statements, because IS NOT DISTINCT FROM cannot use an index.
  IF repo IS NULL THEN
    SELECT * INTO head FROM reviews.reviews r
     WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository IS NULL AND r.status = 'READY'
     ORDER BY r.ticket LIMIT 1;
  ELSE
    SELECT * INTO head FROM reviews.reviews r
     WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository = repo AND r.status = 'READY'
     ORDER BY r.ticket LIMIT 1;
  END IF;
  RETURN head;
END
$$;
COMMENT ON FUNCTION reviews.head_of IS
  'Returns the waiting review with the lowest ticket of one repository, or, for NULL, of the reviews that record no '
  'repository; an empty row if none waits.';
REVOKE ALL ON FUNCTION reviews.head_of FROM PUBLIC;
