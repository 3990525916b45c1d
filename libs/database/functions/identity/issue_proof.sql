CREATE OR REPLACE FUNCTION identity.issue_proof(tenant uuid, usr uuid, digest text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT content || identity.seal(k.key, content)
    FROM identity.proof_keys k, identity.tenants t,
         LATERAL (SELECT tenant::text || usr || CASE t.kind WHEN 'operations' THEN '1' ELSE '0' END
                         || (extract(epoch FROM now())::bigint + 3600) || digest) AS c (content)
   WHERE t.tenant_id = tenant
$$;
COMMENT ON FUNCTION identity.issue_proof IS
  'Returns a proof, valid for an hour, that the caller is this user of this tenant; NULL if the tenant is not '
  'visible. It does not check that the user exists: identity.resolve_caller and environments.claim_deletion_job '
  'call it for users whom they have read, and the database job calls it for itself.';
REVOKE ALL ON FUNCTION identity.issue_proof FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.issue_proof TO plat_environments_owner;
