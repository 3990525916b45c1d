CREATE OR REPLACE FUNCTION reviews.refuse_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP = 'DELETE' AND identity.is_ending(OLD.tenant_id) THEN
    RETURN OLD;
  END IF;
  PERFORM reviews.expect(false, format('%s of %I.%I is not done', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME));
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION reviews.refuse_change IS
  'Trigger: refuses a change or a deletion, except the deletion of a row of a tenant that is ending.';
REVOKE ALL ON FUNCTION reviews.refuse_change FROM PUBLIC;
