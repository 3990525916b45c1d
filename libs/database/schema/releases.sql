-- The schema releases after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Partitions are left out.

-- The release queue: one release a commit, one running a tenant, first in, first out.
CREATE SCHEMA releases AUTHORIZATION plat_releases_owner;
GRANT USAGE ON SCHEMA releases TO plat_builds_owner;
GRANT USAGE ON SCHEMA releases TO plat_inspector;
GRANT USAGE ON SCHEMA releases TO plat_operations;
GRANT USAGE ON SCHEMA releases TO plat_releases;
GRANT USAGE ON SCHEMA releases TO plat_reviews;
GRANT USAGE ON SCHEMA releases TO plat_reviews_owner;

-- One row a (tenant, commit). Checks tie version to released and failure_reason to failed; an index allows one
-- running release a tenant.
CREATE TABLE releases.releases (
  tenant_id uuid NOT NULL,
  release_id uuid NOT NULL,
  review_id uuid,
  target_branch text NOT NULL,
  commit_id text NOT NULL,
  status text NOT NULL DEFAULT 'queued'::text,
  attempt integer NOT NULL DEFAULT 1,
  queue_sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  version text,
  build_id uuid,
  failure_reason text,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT releases_pkey PRIMARY KEY (tenant_id, release_id),
  CONSTRAINT releases_tenant_id_commit_id_key UNIQUE (tenant_id, commit_id),
  CONSTRAINT releases_tenant_id_build_id_fkey FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds(tenant_id, build_id),
  CONSTRAINT releases_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT releases_attempt_check CHECK ((attempt >= 1)),
  CONSTRAINT releases_check CHECK (((status = 'released'::text) = (version IS NOT NULL))),
  CONSTRAINT releases_check1 CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT releases_commit_id_check CHECK ((commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT releases_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'released'::text, 'failed'::text]))),
  CONSTRAINT releases_target_branch_check CHECK (((target_branch <> ''::text) AND (length(target_branch) <= 255))),
  CONSTRAINT releases_version_grammar CHECK ((version ~ '^[0-9]+[.][0-9]+[.][0-9]+(-[A-Za-z0-9.-]+)?$'::text))
);

-- One row a tenant, whose lock every move of its release queue holds, and when its last release finished.
CREATE TABLE releases.lines (
  tenant_id uuid NOT NULL,
  last_finished_at timestamp with time zone,
  CONSTRAINT lines_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT lines_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id)
);

CREATE INDEX releases_line ON releases.releases USING btree (tenant_id, queue_sequence) WHERE (status = 'queued'::text);
CREATE INDEX releases_newest ON releases.releases USING btree (tenant_id, created_at DESC, release_id DESC);
CREATE INDEX releases_of_build ON releases.releases USING btree (tenant_id, build_id) WHERE (build_id IS NOT NULL);
CREATE INDEX releases_of_review ON releases.releases USING btree (tenant_id, review_id, created_at, release_id) WHERE (review_id IS NOT NULL);
CREATE UNIQUE INDEX releases_one_running ON releases.releases USING btree (tenant_id) WHERE (status = 'running'::text);
CREATE INDEX releases_review ON releases.releases USING btree (tenant_id, review_id) WHERE (review_id IS NOT NULL);

ALTER TABLE releases.releases ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON releases.releases FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON releases.releases FOR SELECT TO plat_releases_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON releases.releases USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE releases.lines ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON releases.lines FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON releases.lines FOR SELECT TO plat_releases_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON releases.lines USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

-- Starts the tenant's oldest queued release and returns it. No row if none is queued, if one is running, or if the
-- last one finished less than the cooldown ago. It is for a runner of releases; no service calls it.
CREATE OR REPLACE FUNCTION releases.claim(tenant uuid, cooldown interval DEFAULT '00:01:00'::interval)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  finished timestamptz := releases.lock_line(tenant);
BEGIN
  IF finished + cooldown > clock_timestamp()
     OR EXISTS (SELECT FROM releases.releases r WHERE r.tenant_id = tenant AND r.status = 'running') THEN
    RETURN;
  END IF;
  RETURN QUERY
    UPDATE releases.releases r
       SET status = 'running', started_at = clock_timestamp(), updated_at = clock_timestamp()
     WHERE r.tenant_id = tenant AND r.release_id = (
             SELECT q.release_id FROM releases.releases q WHERE q.tenant_id = tenant AND q.status = 'queued'
              ORDER BY q.queue_sequence LIMIT 1)
    RETURNING r.*;
END
$function$;

-- Queues the release of a commit, or returns the one that it has; created says which. A failed one is queued again,
-- with its attempt raised and its id and place kept. Refuses with NOT_FOUND for a review that is not visible.
-- reviews.accept_queue_merge calls it, and the releases service for POST /v1/releases.
CREATE OR REPLACE FUNCTION releases.enqueue(tenant uuid, release uuid, review uuid, branch text, commit text)
 RETURNS TABLE(created boolean, entry releases.releases)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF review IS NOT NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
  PERFORM releases.lock_line(tenant);
  RETURN QUERY
    INSERT INTO releases.releases AS r (tenant_id, release_id, review_id, target_branch, commit_id)
    VALUES (tenant, release, review, branch, commit)
    ON CONFLICT (tenant_id, commit_id) DO UPDATE
       SET status = 'queued', attempt = r.attempt + 1, failure_reason = NULL, build_id = NULL,
           started_at = NULL, finished_at = NULL, updated_at = clock_timestamp()
     WHERE r.status = 'failed'
    RETURNING r.release_id = release, r;
  IF NOT FOUND THEN
    RETURN QUERY SELECT false, r FROM releases.releases r WHERE r.tenant_id = tenant AND r.commit_id = commit;
  END IF;
END
$function$;

-- Fails the tenant's release that has been running for longer than stale_after, and returns it; no row if there is
-- none. It is for a runner of releases; no service calls it.
CREATE OR REPLACE FUNCTION releases.fail_stale(tenant uuid, stale_after interval DEFAULT '04:00:00'::interval)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM releases.lock_line(tenant);
  RETURN QUERY
    SELECT f.* FROM releases.releases r
     CROSS JOIN LATERAL releases.finish(tenant, r.release_id, r.attempt, NULL, NULL,
       format('The release was still running after %s and is taken to be lost.', stale_after)) AS f
     WHERE r.tenant_id = tenant AND r.status = 'running' AND r.started_at <= clock_timestamp() - stale_after;
END
$function$;

-- Ends the running attempt of a release, as released with a version or as failed with a reason, and returns it;
-- checks refuse both or neither. No row unless exactly this attempt is running. releases.fail_stale calls it;
-- otherwise it is for a runner of releases.
CREATE OR REPLACE FUNCTION releases.finish(tenant uuid, release uuid, claimed_attempt integer, minted_version text, build uuid, reason text)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM releases.lock_line(tenant);
  RETURN QUERY
    UPDATE releases.releases r
       SET status = CASE WHEN minted_version IS NULL THEN 'failed' ELSE 'released' END, version = minted_version,
           build_id = build, failure_reason = reason, finished_at = clock_timestamp(), updated_at = clock_timestamp()
     WHERE r.tenant_id = tenant AND r.release_id = release AND r.status = 'running' AND r.attempt = claimed_attempt
    RETURNING r.*;
  IF FOUND THEN
    UPDATE releases.lines l SET last_finished_at = clock_timestamp() WHERE l.tenant_id = tenant;
  END IF;
END
$function$;

-- Returns one visible release, or no row. The releases service calls it for GET /v1/releases/{release_id}.
CREATE OR REPLACE FUNCTION releases.get_release(tenant uuid, release uuid)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM releases.releases r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.release_id = release;
END
$function$;

-- Returns all visible releases that the filters ask for. It serves only a release from before 0020;
-- tenancy.end_transition takes it from the login.
CREATE OR REPLACE FUNCTION releases.list_releases(tenant uuid, target text, review uuid, wanted text)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM releases.releases r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant))
     AND (target IS NULL OR r.target_branch = target)
     AND (review IS NULL OR r.review_id = review)
     AND (wanted IS NULL OR r.status = wanted)
   ORDER BY r.created_at DESC, r.release_id DESC;
END
$function$;

-- Returns all releases of a visible review. Refuses with NOT_FOUND if none is visible. It serves only a release from
-- before 0020; tenancy.end_transition takes it from the login.
CREATE OR REPLACE FUNCTION releases.list_review_releases(tenant uuid, review uuid)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM releases.releases r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review
   ORDER BY r.created_at DESC, r.release_id DESC;
  IF NOT FOUND AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$function$;

-- Takes the lock of a tenant's release queue until the transaction ends, and returns when its last release finished,
-- or NULL. Every move of the queue calls it first.
CREATE OR REPLACE FUNCTION releases.lock_line(tenant uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
DECLARE
  finished timestamptz;
BEGIN
  SELECT l.last_finished_at INTO finished FROM releases.lines l WHERE l.tenant_id = tenant FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO releases.lines (tenant_id) VALUES (tenant) ON CONFLICT DO NOTHING;
    SELECT l.last_finished_at INTO finished FROM releases.lines l WHERE l.tenant_id = tenant FOR UPDATE;
  END IF;
  RETURN finished;
END
$function$;

-- Returns those of the builds that a release names. builds.prune asks it.
CREATE OR REPLACE FUNCTION releases.needed_builds(tenant uuid, builds uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT r.build_id FROM releases.releases r WHERE r.tenant_id = tenant AND r.build_id = ANY (builds)
$function$;

-- Returns one page of the visible releases, newest first, after the given place; a NULL filter asks for nothing. The
-- releases service calls it for GET /v1/releases.
CREATE OR REPLACE FUNCTION releases.page_releases(tenant uuid, target text, review uuid, wanted text, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

-- Returns one page of a review's releases, newest first, after the given place. Refuses with NOT_FOUND if no such
-- review is visible. The releases service calls it for GET /v1/reviews/{review_id}/releases.
CREATE OR REPLACE FUNCTION releases.page_review_releases(tenant uuid, review uuid, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF releases.releases
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

GRANT SELECT ON releases.lines TO plat_inspector;
GRANT SELECT ON releases.releases TO plat_inspector;
GRANT EXECUTE ON FUNCTION releases.claim(uuid,interval) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.enqueue(uuid,uuid,uuid,text,text) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.enqueue(uuid,uuid,uuid,text,text) TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION releases.fail_stale(uuid,interval) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.finish(uuid,uuid,integer,text,uuid,text) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.get_release(uuid,uuid) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.needed_builds(uuid,uuid[]) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION releases.page_releases(uuid,text,uuid,text,timestamp with time zone,uuid,integer) TO plat_releases;
GRANT EXECUTE ON FUNCTION releases.page_review_releases(uuid,uuid,timestamp with time zone,uuid,integer) TO plat_releases;
