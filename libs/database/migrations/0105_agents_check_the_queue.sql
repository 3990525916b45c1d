-- TenantAgent may ask whether the service can read a repository, which a drive asks before it takes a slot. Decision F3.
-- The rule of tenants that are there is replaced; a role of that name whose rules are others is a deployment's own. One
-- row a tenant; takes milliseconds.

SET ROLE plat_identity_owner;

UPDATE identity.role_permissions p
   SET api_path_pattern = '/v1/(builds|reviews/merge-queue/check)'
  FROM identity.roles r
 WHERE r.tenant_id = p.tenant_id AND r.role_id = p.role_id AND r.name = 'TenantAgent'
   AND p.permission = 2 AND p.api_method_pattern = 'POST' AND p.api_path_pattern = '/v1/builds';

RESET ROLE;
