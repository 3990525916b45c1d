CREATE OR REPLACE FUNCTION tenancy.across() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('plat.across', true), '') = 'on' AND identity.entered_operations();
COMMENT ON FUNCTION tenancy.across IS
  'Returns whether the transaction reads across tenants: if it requested that when it entered, and its user belongs '
  'to the operations tenant. The policies named operations_published, identity.readable_tenants and the listings ask '
  'it.';
GRANT EXECUTE ON FUNCTION tenancy.across TO PUBLIC;
