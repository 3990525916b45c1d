CREATE OR REPLACE FUNCTION identity.expect_user_within_caps(tenant uuid, usr uuid) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  roles_max constant int := 50;
  rules_max constant int := 200;
BEGIN
  IF (SELECT count(*) FROM identity.user_roles ur WHERE ur.tenant_id = tenant AND ur.user_id = usr) > roles_max THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, format('A user holds %s roles at most.', roles_max));
  END IF;
  IF (SELECT count(*) FROM identity.user_roles ur JOIN identity.role_permissions p USING (tenant_id, role_id)
       WHERE ur.tenant_id = tenant AND ur.user_id = usr) > rules_max THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, format('The roles of a user hold %s rules at most.', rules_max));
  END IF;
END
$$;
COMMENT ON FUNCTION identity.expect_user_within_caps IS
  'Refuses with CONFLICT if the user holds more than 50 roles, or more than 200 rules by them. '
  'identity.create_user, identity.grant_role and the database job call it after their change.';
REVOKE ALL ON FUNCTION identity.expect_user_within_caps FROM PUBLIC;
