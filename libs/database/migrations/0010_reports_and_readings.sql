-- Build reports and their reading. A report and what it does to its review are one transaction.

SET ROLE plat_builds_owner;

-- Records a build of a review and moves the review by it. No row when the tenant has no such review, or when
-- `environment` is given and is not one of the tenant's. Spec: API, Builds, rules 1 and 3.
CREATE FUNCTION builds.report_review_build(tenant uuid, review uuid, build uuid, build_kind text,
  build_successful boolean, commit text, build_version text, detail text, environment uuid)
RETURNS SETOF builds.builds
LANGUAGE plpgsql VOLATILE
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
                             failure_detail)
  VALUES (tenant, build, review, named, build_kind, build_successful, commit, build_version, detail)
  RETURNING * INTO STRICT entry;
  PERFORM reviews.apply_build(tenant, review, build, build_kind, build_successful);
  RETURN NEXT entry;
END
$$;

-- A review's builds, newest first.
CREATE FUNCTION builds.list_review_builds(tenant uuid, review uuid) RETURNS SETOF builds.builds
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM builds.builds b
   WHERE b.tenant_id = ANY (identity.readable_tenants(tenant)) AND b.review_id = review
   ORDER BY b.created_at DESC, b.build_id DESC;
  IF NOT FOUND AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$$;

-- One build of a review.
CREATE FUNCTION builds.get_review_build(tenant uuid, review uuid, build uuid) RETURNS SETOF builds.builds
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM builds.builds b
   WHERE b.tenant_id = ANY (identity.readable_tenants(tenant)) AND b.review_id = review AND b.build_id = build;
END
$$;

REVOKE ALL ON FUNCTION
  builds.report_review_build(uuid, uuid, uuid, text, boolean, text, text, text, uuid),
  builds.list_review_builds(uuid, uuid), builds.get_review_build(uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  builds.report_review_build(uuid, uuid, uuid, text, boolean, text, text, text, uuid),
  builds.list_review_builds(uuid, uuid), builds.get_review_build(uuid, uuid, uuid) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.list_review_builds(uuid, uuid), builds.get_review_build(uuid, uuid, uuid)
   TO plat_operations;
RESET ROLE;
SET ROLE plat_reviews_owner;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid, uuid) TO plat_operations;
RESET ROLE;

SET ROLE plat_releases_owner;

-- A review's releases, newest first.
CREATE FUNCTION releases.list_review_releases(tenant uuid, review uuid) RETURNS SETOF releases.releases
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM releases.releases r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review
   ORDER BY r.created_at DESC, r.release_id DESC;
  IF NOT FOUND AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$$;

-- The releases that the caller may see, newest first; a NULL filter asks for nothing.
CREATE FUNCTION releases.list_releases(tenant uuid, target text, review uuid, wanted text)
RETURNS SETOF releases.releases
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM releases.releases r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant))
     AND (target IS NULL OR r.target_branch = target)
     AND (review IS NULL OR r.review_id = review)
     AND (wanted IS NULL OR r.status = wanted)
   ORDER BY r.created_at DESC, r.release_id DESC;
END
$$;

-- One release that the caller may see.
CREATE FUNCTION releases.get_release(tenant uuid, release uuid) RETURNS SETOF releases.releases
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM releases.releases r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.release_id = release;
END
$$;

REVOKE ALL ON FUNCTION releases.list_review_releases(uuid, uuid), releases.list_releases(uuid, text, uuid, text),
  releases.get_release(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.list_review_releases(uuid, uuid), releases.list_releases(uuid, text, uuid, text),
  releases.get_release(uuid, uuid) TO plat_releases, plat_operations;
RESET ROLE;

SET ROLE plat_audit_owner;

-- A page of the trail, newest first, after the given place. Each promised filter has its index; the two branches
-- exist because a cross-tenant read cannot be ordered by an index that starts with the tenant.
CREATE FUNCTION audit.list_events(tenant uuid, earliest timestamptz, latest timestamptz, usr uuid, kind text,
  method text, path text, after_time timestamptz, after_id uuid, page int)
RETURNS TABLE (tenant_id uuid, audit_event_id uuid, erun_user_id uuid, external_user_id text, external_issuer_id text,
  external_org_id text, type text, api_method text, api_path text, mcp_tool text, cli_command text,
  created_at timestamptz)
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT e.tenant_id, e.audit_event_id, e.erun_user_id, e.external_user_id, e.external_issuer_id,
            e.external_org_id, e.type, e.api_method, e.api_path, e.mcp_tool, e.cli_command, e.created_at
       FROM audit.audit_events e WHERE true'
    || CASE WHEN NOT tenancy.across() THEN ' AND e.tenant_id = $1' ELSE '' END
    || CASE WHEN earliest IS NOT NULL THEN ' AND e.created_at >= $2' ELSE '' END
    || CASE WHEN latest IS NOT NULL THEN ' AND e.created_at <= $3' ELSE '' END
    || CASE WHEN usr IS NOT NULL THEN ' AND e.erun_user_id = $4' ELSE '' END
    || CASE WHEN kind IS NOT NULL THEN ' AND e.type = $5' ELSE '' END
    || CASE WHEN method IS NOT NULL THEN ' AND e.api_method = $6' ELSE '' END
    || CASE WHEN path IS NOT NULL THEN ' AND e.api_path = $7' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.audit_event_id) < ($8, $9)' ELSE '' END
    || ' ORDER BY e.created_at DESC, e.audit_event_id DESC LIMIT $10'
    USING tenant, earliest, latest, usr, kind, method, path, after_time, after_id, page;
END
$$;
REVOKE ALL ON FUNCTION audit.list_events(uuid, timestamptz, timestamptz, uuid, text, text, text, timestamptz, uuid, int)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  audit.list_events(uuid, timestamptz, timestamptz, uuid, text, text, text, timestamptz, uuid, int)
  TO plat_audit, plat_operations;
RESET ROLE;
