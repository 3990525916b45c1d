CREATE OR REPLACE FUNCTION reviews.open_threads(subject reviews.reviews) RETURNS bigint
LANGUAGE sql STABLE
AS $$
  SELECT count(*) FROM reviews.comments c
   WHERE c.tenant_id = subject.tenant_id AND c.review_id = subject.review_id AND c.status = 'OPEN'
$$;
COMMENT ON FUNCTION reviews.open_threads IS
  'Returns how many comment threads of a review are OPEN. Promotions ask it.';
REVOKE ALL ON FUNCTION reviews.open_threads FROM PUBLIC;
