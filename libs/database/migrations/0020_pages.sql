-- Listings in pages: each function answers the rows after a given one, so that a listing of any length is read piece by
-- piece, holds no connection while its caller reads, and needs the memory of one page.
-- Guarantees: a page is found by its place in the order of the listing, so no row is answered twice however many are
-- added meanwhile. The service puts the pages together; `page` is the most rows of one.
-- Adds functions only; the release before keeps those that it calls. Their indexes are made CONCURRENTLY, after the
-- migrations (libs/database/src/concurrent-indexes.ts).

SET ROLE plat_reviews_owner;

-- The reviews that the caller may see, newest first; a NULL filter asks for nothing.
CREATE FUNCTION reviews.page_reviews(tenant uuid, repo text, target text, source text, wanted text, author uuid,
  reviewer uuid, after_time timestamptz, after_id uuid, page int) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.reviews e',
    CASE WHEN repo IS NOT NULL THEN ' AND e.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $3' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND e.source_branch = $4' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND e.status = $5' ELSE '' END
    || CASE WHEN author IS NOT NULL THEN ' AND e.author_user_id = $6' ELSE '' END
    || CASE WHEN reviewer IS NOT NULL THEN
         ' AND EXISTS (SELECT FROM reviews.reviewers w
                        WHERE w.tenant_id = e.tenant_id AND w.review_id = e.review_id AND w.user_id = $7)' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.review_id) < ($8, $9)' ELSE '' END,
    'e.created_at DESC, e.review_id DESC', '$10')
    USING tenant, repo, target, source, wanted, author, reviewer, after_time, after_id, page;
END
$$;

-- The reviews that wait, each queue in its order. A review that has moved since the first page was read (`as_of`) is
-- left out: it was answered already, or has not waited since then.
CREATE FUNCTION reviews.page_merge_queue(tenant uuid, repo text, target text, as_of timestamptz, after_target text,
  after_ticket bigint, after_tenant uuid, page int) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.reviews e',
    ' AND e.status = ''READY'''
    || CASE WHEN repo IS NOT NULL THEN ' AND e.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $3' ELSE '' END
    || CASE WHEN after_ticket IS NOT NULL
            THEN ' AND e.updated_at <= $4 AND (e.target_branch, e.ticket, e.tenant_id) > ($5, $6, $7)' ELSE '' END,
    'e.target_branch, e.ticket, e.tenant_id', '$8')
    USING tenant, repo, target, as_of, after_target, after_ticket, after_tenant, page;
END
$$;

-- A review's comments by address, each thread in the order in which it was written.
CREATE FUNCTION reviews.page_comments(tenant uuid, review uuid, after_commit text, after_path text, after_line int,
  after_time timestamptz, after_id uuid, page int) RETURNS SETOF reviews.comments
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT * FROM reviews.comments c
   WHERE c.tenant_id = ANY (identity.readable_tenants(tenant)) AND c.review_id = review
     AND (after_id IS NULL OR (c.commit_id, c.file_path, c.line, c.created_at, c.comment_id)
                            > (after_commit, after_path, after_line, after_time, after_id))
   ORDER BY c.commit_id, c.file_path, c.line, c.created_at, c.comment_id LIMIT page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$$;

-- A review's reviewers, oldest assignment first.
CREATE FUNCTION reviews.page_reviewers(tenant uuid, review uuid, after_time timestamptz, after_id uuid, page int)
RETURNS SETOF reviews.reviewers
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT * FROM reviews.reviewers w
   WHERE w.tenant_id = ANY (identity.readable_tenants(tenant)) AND w.review_id = review
     AND (after_id IS NULL OR (w.created_at, w.user_id) > (after_time, after_id))
   ORDER BY w.created_at, w.user_id LIMIT page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$$;

REVOKE ALL ON FUNCTION
  reviews.page_reviews(uuid, text, text, text, text, uuid, uuid, timestamptz, uuid, int),
  reviews.page_merge_queue(uuid, text, text, timestamptz, text, bigint, uuid, int),
  reviews.page_comments(uuid, uuid, text, text, int, timestamptz, uuid, int),
  reviews.page_reviewers(uuid, uuid, timestamptz, uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  reviews.page_reviews(uuid, text, text, text, text, uuid, uuid, timestamptz, uuid, int),
  reviews.page_merge_queue(uuid, text, text, timestamptz, text, bigint, uuid, int),
  reviews.page_comments(uuid, uuid, text, text, int, timestamptz, uuid, int),
  reviews.page_reviewers(uuid, uuid, timestamptz, uuid, int) TO plat_reviews, plat_operations;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid, uuid) TO plat_builds_owner;
RESET ROLE;

SET ROLE plat_builds_owner;

-- A review's builds, newest first.
CREATE FUNCTION builds.page_review_builds(tenant uuid, review uuid, after_time timestamptz, after_id uuid, page int)
RETURNS SETOF builds.builds
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM builds.builds e',
    ' AND e.review_id = $2'
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.build_id) < ($3, $4)' ELSE '' END,
    'e.created_at DESC, e.build_id DESC', '$5')
    USING tenant, review, after_time, after_id, page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$$;

REVOKE ALL ON FUNCTION builds.page_review_builds(uuid, uuid, timestamptz, uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.page_review_builds(uuid, uuid, timestamptz, uuid, int) TO plat_builds, plat_operations;
RESET ROLE;

SET ROLE plat_releases_owner;

-- A review's releases, newest first.
CREATE FUNCTION releases.page_review_releases(tenant uuid, review uuid, after_time timestamptz, after_id uuid, page int)
RETURNS SETOF releases.releases
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM releases.releases e',
    ' AND e.review_id = $2'
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.release_id) < ($3, $4)' ELSE '' END,
    'e.created_at DESC, e.release_id DESC', '$5')
    USING tenant, review, after_time, after_id, page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$$;

-- The releases that the caller may see, newest first; a NULL filter asks for nothing.
CREATE FUNCTION releases.page_releases(tenant uuid, target text, review uuid, wanted text, after_time timestamptz,
  after_id uuid, page int) RETURNS SETOF releases.releases
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM releases.releases e',
    CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $2' ELSE '' END
    || CASE WHEN review IS NOT NULL THEN ' AND e.review_id = $3' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND e.status = $4' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.release_id) < ($5, $6)' ELSE '' END,
    'e.created_at DESC, e.release_id DESC', '$7')
    USING tenant, target, review, wanted, after_time, after_id, page;
END
$$;

REVOKE ALL ON FUNCTION releases.page_review_releases(uuid, uuid, timestamptz, uuid, int),
  releases.page_releases(uuid, text, uuid, text, timestamptz, uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.page_review_releases(uuid, uuid, timestamptz, uuid, int),
  releases.page_releases(uuid, text, uuid, text, timestamptz, uuid, int) TO plat_releases, plat_operations;
RESET ROLE;

SET ROLE plat_environments_owner;

-- The environments that the caller may see, by name.
CREATE FUNCTION environments.page_environments(tenant uuid, after_name text, after_id uuid, page int)
RETURNS SETOF environments.environments
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM environments.environments e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.name, e.environment_id) > ($2, $3)' ELSE '' END,
    'e.name, e.environment_id', '$4')
    USING tenant, after_name, after_id, page;
END
$$;

REVOKE ALL ON FUNCTION environments.page_environments(uuid, text, uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.page_environments(uuid, text, uuid, int) TO plat_platform, plat_operations;
RESET ROLE;

SET ROLE plat_identity_owner;

-- The users that the caller may see, by name.
CREATE FUNCTION identity.page_users(tenant uuid, after_name text, after_id uuid, page int)
RETURNS TABLE (tenant_id uuid, user_id uuid, username text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.tenant_id, e.user_id, e.username FROM identity.users e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.username, e.user_id) > ($2, $3)' ELSE '' END,
    'e.username, e.user_id', '$4')
    USING tenancy.tenant_id(), after_name, after_id, page;
END
$$;

-- The roles that the caller may see, by name.
CREATE FUNCTION identity.page_roles(tenant uuid, after_name text, after_id uuid, page int)
RETURNS TABLE (role_id uuid, name text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.role_id, e.name FROM identity.roles e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.name, e.role_id) > ($2, $3)' ELSE '' END,
    'e.name, e.role_id', '$4')
    USING tenancy.tenant_id(), after_name, after_id, page;
END
$$;

REVOKE ALL ON FUNCTION identity.page_users(uuid, text, uuid, int), identity.page_roles(uuid, text, uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.page_users(uuid, text, uuid, int), identity.page_roles(uuid, text, uuid, int)
   TO plat_platform, plat_operations;
RESET ROLE;
