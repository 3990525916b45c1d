CREATE OR REPLACE FUNCTION tenancy.enter_as(proof text, read_across boolean) RETURNS uuid
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  PERFORM set_config('plat.proof', proof, true),
          set_config('plat.across', CASE WHEN read_across THEN 'on' ELSE '' END, true);
  RETURN identity.open_tenant();
END
$$;
COMMENT ON FUNCTION tenancy.enter_as IS
  'Enters the tenant of a proof for the rest of the transaction and returns the tenant, so that a statement can '
  'make its work depend on having entered. Raises insufficient_privilege for a proof that identity has not sealed '
  'or that has ended, and refuses a tenant that is not served, as identity.expect_open does; an empty proof enters '
  'nothing. Every transaction of a service for a tenant begins with it.';
GRANT EXECUTE ON FUNCTION tenancy.enter_as TO PUBLIC;
