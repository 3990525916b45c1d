CREATE OR REPLACE FUNCTION identity.expect_tenant_within_caps(tenant uuid) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  roles_max constant int := 200;
  rules_max constant int := 1000;
BEGIN
  IF (SELECT count(*) FROM identity.roles r WHERE r.tenant_id = tenant) > roles_max THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, format('A tenant has %s roles at most.', roles_max));
  END IF;
  IF (SELECT count(*) FROM identity.role_permissions p WHERE p.tenant_id = tenant) > rules_max THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, format('The roles of a tenant hold %s rules at most.', rules_max));
  END IF;
END
$$;
COMMENT ON FUNCTION identity.expect_tenant_within_caps IS
  'Refuses with CONFLICT if the tenant has more than 200 roles, or more than 1000 rules in them. '
  'identity.create_role and the database job call it after their change.';
REVOKE ALL ON FUNCTION identity.expect_tenant_within_caps FROM PUBLIC;
