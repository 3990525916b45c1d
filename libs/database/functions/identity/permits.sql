CREATE OR REPLACE FUNCTION identity.permits(rule identity.role_permissions, method text, template text) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN coalesce(rule.api_method = method AND rule.api_path = template,
                method ~ ('^(?:' || rule.api_method_pattern || ')$')
                  AND template ~ ('^(?:' || rule.api_path_pattern || ')$'));
COMMENT ON FUNCTION identity.permits IS
  'Returns whether a rule permits a method on a route template; a pattern must match the whole text. '
  'identity.revoke_role calls it; services judge requests by the same grammar in their own code.';
REVOKE ALL ON FUNCTION identity.permits FROM PUBLIC;
