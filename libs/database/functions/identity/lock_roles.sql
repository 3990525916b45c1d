CREATE OR REPLACE FUNCTION identity.lock_roles() RETURNS void
LANGUAGE sql VOLATILE
AS $$
  SELECT identity.expect_caller();
  SELECT FROM identity.tenants t WHERE t.tenant_id = tenancy.tenant_id() FOR NO KEY UPDATE
$$;
COMMENT ON FUNCTION identity.lock_roles IS
  'Takes the lock of the entered tenant''s roles (its row of identity.tenants) until the transaction ends. Each '
  'function that changes users or roles takes it first.';
REVOKE ALL ON FUNCTION identity.lock_roles FROM PUBLIC;
