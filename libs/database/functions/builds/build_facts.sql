CREATE OR REPLACE FUNCTION builds.build_facts(tenant uuid, build uuid)
RETURNS TABLE (review_id uuid, kind text, successful boolean, commit_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT b.review_id, b.kind, b.successful, b.commit_id
    FROM builds.builds b WHERE b.tenant_id = tenant AND b.build_id = build
$$;
COMMENT ON FUNCTION builds.build_facts IS
  'Returns review, kind, outcome and commit of a build of the tenant, or no row. The functions of reviews ask it, so '
  'that they do not rely on the caller for them.';
REVOKE ALL ON FUNCTION builds.build_facts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.build_facts TO plat_reviews_owner;
