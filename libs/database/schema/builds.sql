-- The schema builds after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Partitions are left out.

-- Build reports, which are never changed. The builds service is their only writer.
CREATE SCHEMA builds AUTHORIZATION plat_builds_owner;
GRANT USAGE ON SCHEMA builds TO plat_builds;
GRANT USAGE ON SCHEMA builds TO plat_inspector;
GRANT USAGE ON SCHEMA builds TO plat_operations;
GRANT USAGE ON SCHEMA builds TO plat_releases_owner;
GRANT USAGE ON SCHEMA builds TO plat_reviews;
GRANT USAGE ON SCHEMA builds TO plat_reviews_owner;

-- One row a build report, of a review or of an environment, which keeps the name of either. vouched is set if a
-- successful GATE build rests on a person's word alone; rows from before 0099 never have it. No function changes or
-- deletes one. Partitioned by month, through the time in the id.
CREATE TABLE builds.builds (
  tenant_id uuid NOT NULL,
  build_id uuid NOT NULL,
  review_id uuid,
  review_name text,
  environment_id uuid,
  environment_name text,
  kind text NOT NULL,
  successful boolean NOT NULL,
  commit_id text NOT NULL,
  version text,
  failure_detail text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  vouched boolean,
  CONSTRAINT builds_pkey PRIMARY KEY (tenant_id, build_id),
  CONSTRAINT builds_tenant_id_review_id_build_id_key UNIQUE (tenant_id, review_id, build_id),
  CONSTRAINT builds_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id) DEFERRABLE,
  CONSTRAINT builds_check CHECK ((num_nonnulls(review_id, environment_id) = 1)),
  CONSTRAINT builds_check1 CHECK ((((review_id IS NULL) = (review_name IS NULL)) AND ((environment_id IS NULL) = (environment_name IS NULL)))),
  CONSTRAINT builds_check2 CHECK (((kind = 'RECORDED'::text) = (version IS NOT NULL))),
  CONSTRAINT builds_check3 CHECK (((kind = 'RECORDED'::text) OR (review_id IS NOT NULL))),
  CONSTRAINT builds_check4 CHECK (((kind = 'RECORDED'::text) OR successful OR (failure_detail <> ''::text))),
  CONSTRAINT builds_commit_id_check CHECK ((commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT builds_kind_check CHECK ((kind = ANY (ARRAY['RECORDED'::text, 'GATE'::text]))),
  CONSTRAINT builds_vouched CHECK (((vouched IS NULL) OR (vouched AND (kind = 'GATE'::text) AND successful)))
) PARTITION BY RANGE (build_id);

CREATE INDEX builds_environment ON ONLY builds.builds USING btree (tenant_id, environment_id, created_at, build_id) WHERE (environment_id IS NOT NULL);
CREATE INDEX builds_failed ON ONLY builds.builds USING btree (tenant_id, created_at, build_id) WHERE (NOT successful);
CREATE INDEX builds_gate ON ONLY builds.builds USING btree (tenant_id, created_at, build_id) WHERE (kind = 'GATE'::text);
CREATE INDEX builds_newest ON ONLY builds.builds USING btree (tenant_id, created_at DESC, build_id DESC);
CREATE INDEX builds_of_review ON ONLY builds.builds USING btree (tenant_id, review_id, created_at, build_id) WHERE (review_id IS NOT NULL);

ALTER TABLE builds.builds ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON builds.builds FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON builds.builds FOR SELECT TO plat_builds_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON builds.builds USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

-- Returns review, kind, outcome and commit of a build of the tenant, or no row. The functions of reviews ask it, so
-- that none believes what its caller says of a build.
CREATE OR REPLACE FUNCTION builds.build_facts(tenant uuid, build uuid)
 RETURNS TABLE(review_id uuid, kind text, successful boolean, commit_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT b.review_id, b.kind, b.successful, b.commit_id
    FROM builds.builds b WHERE b.tenant_id = tenant AND b.build_id = build
$function$;

-- Returns one visible build of a review, or no row. The builds service calls it for GET
-- /v1/reviews/{review_id}/builds/{build_id}.
CREATE OR REPLACE FUNCTION builds.get_review_build(tenant uuid, review uuid, build uuid)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM builds.builds b
   WHERE b.tenant_id = ANY (identity.readable_tenants(tenant)) AND b.review_id = review AND b.build_id = build;
END
$function$;

-- Returns one page of the visible builds, newest first, after the given place; a NULL filter asks for nothing. The
-- builds service calls it for GET /v1/builds.
CREATE OR REPLACE FUNCTION builds.list_builds(tenant uuid, environment uuid, wanted_kind text, wanted_outcome boolean, earliest timestamp with time zone, latest timestamp with time zone, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM builds.builds e',
    CASE WHEN environment IS NOT NULL THEN ' AND e.environment_id = $2' ELSE '' END
    || CASE WHEN wanted_kind IS NOT NULL THEN ' AND e.kind = $3' ELSE '' END
    || CASE wanted_outcome WHEN true THEN ' AND e.successful' WHEN false THEN ' AND NOT e.successful' ELSE '' END
    || CASE WHEN earliest IS NOT NULL THEN ' AND e.created_at >= $4' ELSE '' END
    || CASE WHEN latest IS NOT NULL THEN ' AND e.created_at <= $5' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.build_id) < ($6, $7)' ELSE '' END,
    'e.created_at DESC, e.build_id DESC', '$8')
    USING tenant, environment, wanted_kind, earliest, latest, after_time, after_id, page;
END
$function$;

-- Returns all builds of a visible review. Refuses with NOT_FOUND if none is visible. It serves only a release from
-- before 0020; tenancy.end_transition takes it from the login.
CREATE OR REPLACE FUNCTION builds.list_review_builds(tenant uuid, review uuid)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM builds.builds b
   WHERE b.tenant_id = ANY (identity.readable_tenants(tenant)) AND b.review_id = review
   ORDER BY b.created_at DESC, b.build_id DESC;
  IF NOT FOUND AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$function$;

-- Makes the partitions of builds.builds for a year from this month, and returns true; returns false if it does not
-- have a lock within half a second. The builds service calls it at its start and each day.
CREATE OR REPLACE FUNCTION builds.make_partitions()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '500ms'
AS $function$
BEGIN
  CALL tenancy.make_partitions('builds.builds', (now() AT TIME ZONE 'UTC')::date, 12);
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END
$function$;

-- Returns those of the builds of a tenant that must be kept: see reviews.needed_builds and releases.needed_builds.
-- builds.prune asks it.
CREATE OR REPLACE FUNCTION builds.needed(tenant uuid, of_builds uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  with_review uuid[];
  of_reviews  uuid[];
BEGIN
  SELECT array_agg(b.build_id), array_agg(b.review_id) INTO with_review, of_reviews
    FROM builds.builds b WHERE b.tenant_id = tenant AND b.build_id = ANY (of_builds) AND b.review_id IS NOT NULL;
  RETURN ARRAY(SELECT reviews.needed_builds(tenant, of_reviews, with_review)
               UNION SELECT releases.needed_builds(tenant, of_builds));
END
$function$;

-- Returns one page of a review's builds, newest first, after the given place. Refuses with NOT_FOUND if no such
-- review is visible. The builds service calls it for GET /v1/reviews/{review_id}/builds.
CREATE OR REPLACE FUNCTION builds.page_review_builds(tenant uuid, review uuid, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

-- Returns until when builds.builds has a partition for each month. The builds service calls it for the gauge
-- plat_partitions_months_ahead.
CREATE OR REPLACE FUNCTION builds.partitions_until()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT tenancy.partitions_until('builds.builds') $function$;

-- Deletes, of the next builds of a tenant in the order of their ids that are older than a moment, those that nobody
-- needs (builds.needed), or merely counts them if dry. Returns the last one that it looked at, how many went and
-- stayed, and the oldest and newest that went; last is NULL if there are no more. Refuses a moment within the last
-- day with invalid_parameter_value. It runs with the rights of its caller, who must have entered the tenant. npm run
-- db -- prune calls it.
CREATE OR REPLACE FUNCTION builds.prune(tenant uuid, before timestamp with time zone, after uuid, most integer, dry boolean)
 RETURNS TABLE(last uuid, removed bigint, kept bigint, oldest timestamp with time zone, newest timestamp with time zone)
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  looked uuid[];
  needed uuid[];
  unused uuid[];
BEGIN
  -- The transaction that reports a build may still be under way.
  IF before > now() - interval '1 day' THEN
    RAISE invalid_parameter_value USING MESSAGE = 'builds are kept for a day at least';
  END IF;
  looked := ARRAY(SELECT b.build_id FROM builds.builds b
                   WHERE b.tenant_id = tenant AND (after IS NULL OR b.build_id > after)
                     AND b.build_id < tenancy.first_id(before) AND b.created_at < before
                   ORDER BY b.build_id LIMIT most);
  last := looked[cardinality(looked)];
  needed := builds.needed(tenant, looked);
  unused := ARRAY(SELECT b FROM unnest(looked) AS b WHERE b <> ALL (needed));
  IF NOT dry THEN
    -- Whoever names a build holds its row, so that it is passed over; whoever comes later waits and finds it gone.
    unused := ARRAY(SELECT b.build_id FROM builds.builds b WHERE b.tenant_id = tenant AND b.build_id = ANY (unused)
                    FOR UPDATE SKIP LOCKED);
    -- It may have been named between the look and the lock.
    needed := builds.needed(tenant, unused);
    unused := ARRAY(SELECT b FROM unnest(unused) AS b WHERE b <> ALL (needed));
  END IF;
  SELECT min(b.created_at), max(b.created_at) INTO oldest, newest FROM builds.builds b
   WHERE b.tenant_id = tenant AND b.build_id = ANY (unused);
  removed := cardinality(unused);
  IF NOT dry THEN
    DELETE FROM builds.builds b WHERE b.tenant_id = tenant AND b.build_id = ANY (unused);
    GET DIAGNOSTICS removed = ROW_COUNT;
  END IF;
  kept := cardinality(looked) - removed;
  RETURN NEXT;
END
$function$;

-- Stores a RECORDED build of an environment and returns it. Refuses with NOT_FOUND if the tenant has no such
-- environment. The builds service calls it for POST /v1/builds.
CREATE OR REPLACE FUNCTION builds.report_environment_build(tenant uuid, environment uuid, build uuid, build_successful boolean, commit text, build_version text, detail text)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  named text := environments.environment_name(tenant, environment);
BEGIN
  IF named IS NULL THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such environment.');
  END IF;
  RETURN QUERY
    INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id,
                               version, failure_detail)
    VALUES (tenant, build, environment, named, 'RECORDED', build_successful, commit, build_version, detail)
    RETURNING *;
END
$function$;

-- Stores a build of a review, moves the review by it (reviews.apply_build) and returns the build; no row if the
-- tenant has no such review. Refuses with NOT_FOUND if an environment is given that the tenant does not have; the
-- environment is not stored. The builds service calls it for POST /v1/reviews/{review_id}/builds.
CREATE OR REPLACE FUNCTION builds.report_review_build(tenant uuid, review uuid, build uuid, build_kind text, build_successful boolean, commit text, build_version text, detail text, environment uuid, is_vouched boolean DEFAULT NULL::boolean)
 RETURNS SETOF builds.builds
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

GRANT SELECT ON builds.builds TO plat_inspector;
GRANT REFERENCES ON builds.builds TO plat_releases_owner;
GRANT REFERENCES ON builds.builds TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION builds.build_facts(uuid,uuid) TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION builds.get_review_build(uuid,uuid,uuid) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.list_builds(uuid,uuid,text,boolean,timestamp with time zone,timestamp with time zone,timestamp with time zone,uuid,integer) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.make_partitions() TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.page_review_builds(uuid,uuid,timestamp with time zone,uuid,integer) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.partitions_until() TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.report_environment_build(uuid,uuid,uuid,boolean,text,text,text) TO plat_builds;
GRANT EXECUTE ON FUNCTION builds.report_review_build(uuid,uuid,uuid,text,boolean,text,text,text,uuid,boolean) TO plat_builds;
