-- TenantAgent reads what the gate needs (reviews, queues, builds, gate runs, environments, releases and itself), and no
-- longer the audit trail, users and roles. Decision F3.
-- The rule of tenants that are there is replaced; a role of that name whose rules are others is a deployment's own. One
-- row a tenant; takes milliseconds.

SET ROLE plat_identity_owner;

UPDATE identity.role_permissions p
   SET api_path_pattern = '/v1/((reviews|builds|gate-runs|environments|releases)(/.*)?|whoami)'
  FROM identity.roles r
 WHERE r.tenant_id = p.tenant_id AND r.role_id = p.role_id AND r.name = 'TenantAgent'
   AND p.permission = 1 AND p.api_method_pattern = 'GET' AND p.api_path_pattern = '/v1/.*';

RESET ROLE;
