-- What the schema is and whom it serves, for services to see before they serve: a release on a schema that lacks what it
-- needs, or that has dropped it, fails request by request, and some succeed.
-- Guarantee: one row, written by the migration job alone. `version` is the newest file applied, set when all are;
-- `works_from` is the newest file of the oldest release that works on it. A file that drops or changes what a release
-- uses sets works_from to the newest file of the first release that does without.
-- On a live table: a new one; runs in milliseconds.

SET ROLE plat_identity_owner;

CREATE TABLE identity.schema_state (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version    text NOT NULL,
  works_from text NOT NULL
);
INSERT INTO identity.schema_state (version, works_from) VALUES ('', '0027_schema_version');

CREATE FUNCTION identity.schema_version() RETURNS TABLE (version text, works_from text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT s.version, s.works_from FROM identity.schema_state s $$;
REVOKE ALL ON FUNCTION identity.schema_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.schema_version()
   TO plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform;
RESET ROLE;
