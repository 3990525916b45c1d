CREATE OR REPLACE FUNCTION identity.schema_version() RETURNS TABLE (version text, works_from text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT s.version, s.works_from FROM identity.schema_state s $$;
COMMENT ON FUNCTION identity.schema_version IS
  'Returns the one row of identity.schema_state. Every service asks it before it serves.';
REVOKE ALL ON FUNCTION identity.schema_version FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.schema_version TO plat_audit, plat_builds, plat_platform, plat_releases,
  plat_reviews;
