CREATE OR REPLACE FUNCTION reviews.expect(holds boolean, rule text) RETURNS void
LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
  IF holds IS NOT TRUE THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = rule;
  END IF;
END
$$;
COMMENT ON FUNCTION reviews.expect IS
  'Raises integrity_constraint_violation with the rule as its message unless the condition is true. This is not a '
  'refusal of the API: a function of this schema raises it only if its caller is wrong. The triggers call it.';
REVOKE ALL ON FUNCTION reviews.expect FROM PUBLIC;
