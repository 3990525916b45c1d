CREATE OR REPLACE FUNCTION tenancy.tenant_id() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN identity.entered_tenant();
COMMENT ON FUNCTION tenancy.tenant_id IS
  'Returns the tenant that the transaction has entered, or NULL. Every policy named tenant asks it.';
GRANT EXECUTE ON FUNCTION tenancy.tenant_id TO PUBLIC;
