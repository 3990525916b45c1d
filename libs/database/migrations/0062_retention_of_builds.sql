-- Builds and gate runs that nobody needs any more are deleted when an operator asks for it.
-- Guarantees: nothing is deleted by itself. A build stays as long as its review has not ended, or a review, a move of a
-- queue or a release names it; the foreign keys refuse what the functions would overlook, and a build that somebody names
-- at that moment stays too. A gate run goes only if it is decided and its review has ended. No service may call them.
-- On a live table: a foreign key that is validated after the migrations, which stops writers of two tables for
-- milliseconds; an index of releases is made CONCURRENTLY. The release before writes no move that names another build.

SET ROLE plat_reviews_owner;

-- squawk-ignore ban-new-write-restriction -- every release has named builds of the same review; reviews.judge_move holds it
ALTER TABLE reviews.queue_moves ADD CONSTRAINT queue_moves_tenant_id_review_id_build_id_fkey
  FOREIGN KEY (tenant_id, review_id, build_id) REFERENCES builds.builds (tenant_id, review_id, build_id) NOT VALID;

CREATE FUNCTION reviews.needed_builds(tenant uuid, of_reviews uuid[], builds uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.build FROM unnest(of_reviews, builds) AS c (review, build)
   WHERE EXISTS (SELECT FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = c.review
                    AND (r.status NOT IN ('MERGED', 'CLOSED')
                         OR c.build IN (r.last_failed_build_id, r.last_ready_build_id, r.last_merged_build_id)))
      OR EXISTS (SELECT FROM reviews.queue_moves m
                  WHERE m.tenant_id = tenant AND m.review_id = c.review AND m.build_id = c.build)
$$;
COMMENT ON FUNCTION reviews.needed_builds IS
  'Returns those of the builds, each given with its review, that must be kept: their review has not ended, or it or a '
  'move of it names them. builds.prune asks it.';
REVOKE ALL ON FUNCTION reviews.needed_builds(uuid, uuid[], uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.needed_builds(uuid, uuid[], uuid[]) TO plat_builds_owner;

CREATE FUNCTION reviews.prune_gate_runs(tenant uuid, before timestamptz, after uuid, most int, dry boolean)
RETURNS TABLE(last uuid, removed bigint, kept bigint, oldest timestamptz, newest timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  looked  uuid[];
  ended   uuid[];
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE invalid_parameter_value USING MESSAGE = 'gate runs are kept for a day at least';
  END IF;
  looked := ARRAY(SELECT g.gate_run_id FROM reviews.gate_runs g
                   WHERE g.tenant_id = tenant AND (after IS NULL OR g.gate_run_id > after) AND g.updated_at < before
                   ORDER BY g.gate_run_id LIMIT most);
  last := looked[cardinality(looked)];
  ended := ARRAY(SELECT g.gate_run_id FROM reviews.gate_runs g
                  WHERE g.tenant_id = tenant AND g.gate_run_id = ANY (looked) AND g.verdict <> 'RUNNING'
                    AND (g.review_id IS NULL
                         OR EXISTS (SELECT FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = g.review_id
                                       AND r.status IN ('MERGED', 'CLOSED'))));
  SELECT min(g.created_at), max(g.created_at) INTO oldest, newest FROM reviews.gate_runs g
   WHERE g.tenant_id = tenant AND g.gate_run_id = ANY (ended);
  removed := cardinality(ended);
  IF NOT dry THEN
    -- A verdict is final, and so is the end of a review: what was found stays true.
    DELETE FROM reviews.gate_runs g WHERE g.tenant_id = tenant AND g.gate_run_id = ANY (ended);
    GET DIAGNOSTICS removed = ROW_COUNT;
  END IF;
  kept := cardinality(looked) - removed;
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION reviews.prune_gate_runs IS
  'As builds.prune, of the gate runs of a tenant: those that are decided, that have not changed since a moment, and whose '
  'review has ended or that are of none. npm run db -- prune calls it.';
REVOKE ALL ON FUNCTION reviews.prune_gate_runs(uuid, timestamptz, uuid, int, boolean) FROM PUBLIC;

RESET ROLE;
SET ROLE plat_releases_owner;

CREATE FUNCTION releases.needed_builds(tenant uuid, builds uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.build_id FROM releases.releases r WHERE r.tenant_id = tenant AND r.build_id = ANY (builds)
$$;
COMMENT ON FUNCTION releases.needed_builds IS
  'Returns those of the builds that a release names. builds.prune asks it.';
REVOKE ALL ON FUNCTION releases.needed_builds(uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.needed_builds(uuid, uuid[]) TO plat_builds_owner;
GRANT USAGE ON SCHEMA releases TO plat_builds_owner;

RESET ROLE;
SET ROLE plat_builds_owner;

CREATE FUNCTION builds.needed(tenant uuid, of_builds uuid[]) RETURNS uuid[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  with_review uuid[];
  of_reviews  uuid[];
BEGIN
  SELECT array_agg(b.build_id), array_agg(b.review_id) INTO with_review, of_reviews
    FROM builds.builds b WHERE b.tenant_id = tenant AND b.build_id = ANY (of_builds) AND b.review_id IS NOT NULL;
  RETURN ARRAY(SELECT reviews.needed_builds(tenant, of_reviews, with_review)
               UNION SELECT releases.needed_builds(tenant, of_builds));
END
$$;
COMMENT ON FUNCTION builds.needed IS
  'Returns those of the builds of a tenant that must be kept: see reviews.needed_builds and releases.needed_builds. '
  'builds.prune asks it.';
REVOKE ALL ON FUNCTION builds.needed(uuid, uuid[]) FROM PUBLIC;

CREATE FUNCTION builds.prune(tenant uuid, before timestamptz, after uuid, most int, dry boolean)
RETURNS TABLE(last uuid, removed bigint, kept bigint, oldest timestamptz, newest timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
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
$$;
COMMENT ON FUNCTION builds.prune IS
  'Deletes, of the next builds of a tenant in the order of their ids that are older than a moment, those that nobody '
  'needs (builds.needed), or merely counts them if dry. Returns the last one that it looked at, how many went and stayed, '
  'and the oldest and newest that went; last is NULL if there are no more. Refuses a moment within the last day with '
  'invalid_parameter_value. It runs with the rights of its caller, who must have entered the tenant. npm run db -- prune '
  'calls it.';
REVOKE ALL ON FUNCTION builds.prune(uuid, timestamptz, uuid, int, boolean) FROM PUBLIC;

RESET ROLE;
