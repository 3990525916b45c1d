CREATE OR REPLACE FUNCTION identity.resolve(issuer_url text, token_subject text, organization text)
RETURNS TABLE (tenant_id uuid, tenant_kind text, user_id uuid, username text, roles text[], permissions jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.tenant_id, t.kind, u.user_id, u.username,
         ARRAY(SELECT r.name FROM identity.user_roles ur JOIN identity.roles r USING (tenant_id, role_id)
                WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.user_id ORDER BY r.name),
         coalesce((SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                            'apiMethod', p.api_method, 'apiPath', p.api_path,
                            'apiMethodPattern', p.api_method_pattern, 'apiPathPattern', p.api_path_pattern)))
                     FROM identity.user_roles ur JOIN identity.role_permissions p USING (tenant_id, role_id)
                    WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.user_id), '[]')
    FROM identity.issuers i
    LEFT JOIN identity.organizations o
           ON o.issuer_id = i.issuer_id AND o.organization_id = organization AND o.disabled_at IS NULL
    JOIN identity.tenants t ON t.tenant_id = coalesce(i.tenant_id, o.tenant_id)
    LEFT JOIN identity.subjects s
           ON s.tenant_id = t.tenant_id AND s.issuer_id = i.issuer_id AND s.subject = token_subject
    LEFT JOIN identity.users u ON u.tenant_id = s.tenant_id AND u.user_id = s.user_id
   WHERE i.url = issuer_url
$$;
COMMENT ON FUNCTION identity.resolve IS
  'Returns the caller of a verified token: tenant, user, names of roles and rules. No row means that no tenant is '
  'served by the issuer and organisation; a row without user_id means that the subject is not enrolled. '
  'identity.resolve_caller calls it.';
REVOKE ALL ON FUNCTION identity.resolve FROM PUBLIC;
