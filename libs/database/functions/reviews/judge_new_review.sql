CREATE OR REPLACE FUNCTION reviews.judge_new_review() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM reviews.expect(NEW.status = 'OPEN', 'a new review is OPEN');
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION reviews.judge_new_review IS
  'Trigger of an insert into reviews.reviews: raises integrity_constraint_violation unless the new review is OPEN.';
REVOKE ALL ON FUNCTION reviews.judge_new_review FROM PUBLIC;
