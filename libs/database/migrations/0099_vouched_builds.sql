-- A successful GATE build may rest on a person's word alone, and then says so.
-- Guarantees: vouched is true or absent, and only a successful GATE build has it.
-- On a live table: one column without a default, and a check that looks at new rows only. The release before reports with
-- eight arguments, which still is the function below, and vouches for nothing.

SET ROLE plat_builds_owner;

ALTER TABLE builds.builds ADD COLUMN vouched boolean;
ALTER TABLE builds.builds
  -- squawk-ignore ban-new-write-restriction -- the release before leaves the column NULL
  ADD CONSTRAINT builds_vouched CHECK (vouched IS NULL OR (vouched AND kind = 'GATE' AND successful)) NOT VALID;
COMMENT ON TABLE builds.builds IS
  'One row a build report, of a review or of an environment, which keeps the name of either. vouched is set if a '
  'successful GATE build rests on a person''s word alone; rows from before 0099 never have it. No function changes or '
  'deletes one. Partitioned by month, through the time in the id.';

-- squawk-ignore ban-drop-function -- the function below takes the same eight arguments, and the ninth has a default
DROP FUNCTION builds.report_review_build(uuid, uuid, uuid, text, boolean, text, text, text, uuid);
-- As before (0010), and a build keeps whether its reporter vouches for it.
CREATE FUNCTION builds.report_review_build(tenant uuid, review uuid, build uuid, build_kind text,
  build_successful boolean, commit text, build_version text, detail text, environment uuid,
  is_vouched boolean DEFAULT NULL)
RETURNS SETOF builds.builds
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  named text;
  entry builds.builds;
BEGIN
  IF environment IS NOT NULL AND environments.environment_name(tenant, environment) IS NULL THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such environment.');
  END IF;
  named := reviews.begin_build_report(tenant, review);
  IF named IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version,
                             failure_detail, vouched)
  VALUES (tenant, build, review, named, build_kind, build_successful, commit, build_version, detail, is_vouched)
  RETURNING * INTO STRICT entry;
  PERFORM reviews.apply_build(tenant, review, build, build_kind, build_successful);
  RETURN NEXT entry;
END
$$;
COMMENT ON FUNCTION builds.report_review_build IS
  'Stores a build of a review, moves the review by it (reviews.apply_build) and returns the build; no row if the '
  'tenant has no such review. Refuses with NOT_FOUND if an environment is given that the tenant does not have; the '
  'environment is not stored. The builds service calls it for POST /v1/reviews/{review_id}/builds.';
REVOKE ALL ON FUNCTION
  builds.report_review_build(uuid, uuid, uuid, text, boolean, text, text, text, uuid, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  builds.report_review_build(uuid, uuid, uuid, text, boolean, text, text, text, uuid, boolean) TO plat_builds;
RESET ROLE;
