-- Gate runs: reported attempts of the merge gate, with or without a review. They never move one.
-- Guarantees, by constraint: a run names the merge commit unless it is FAILED or INCONCLUSIVE, FAILED names its step.
-- A run is decided once, by an update that finds it RUNNING. New tables only: nothing that runs is locked.

SET ROLE plat_reviews_owner;

CREATE TABLE reviews.gate_runs (
  tenant_id     uuid NOT NULL,
  gate_run_id   uuid NOT NULL,
  source_branch text NOT NULL CHECK (source_branch <> '' AND length(source_branch) <= 255),
  target_branch text NOT NULL CHECK (target_branch <> '' AND length(target_branch) <= 255),
  source_commit text NOT NULL CHECK (source_commit ~ '^[0-9a-f]{40}$'),
  merge_commit  text CHECK (merge_commit ~ '^[0-9a-f]{40}$'),
  review_id     uuid,
  -- A review's name never changes.
  review_name   text,
  verdict       text NOT NULL CHECK (verdict IN ('RUNNING', 'PASSED', 'FAILED', 'INCONCLUSIVE')),
  failing_step  text CHECK (failing_step <> ''),
  log_ref       text CHECK (log_ref <> ''),
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, gate_run_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews,
  CHECK ((review_id IS NULL) = (review_name IS NULL)),
  CHECK (merge_commit IS NOT NULL OR verdict IN ('FAILED', 'INCONCLUSIVE')),
  CHECK (failing_step IS NOT NULL OR verdict <> 'FAILED'),
  CHECK (failing_step IS NULL OR verdict IN ('FAILED', 'INCONCLUSIVE'))
);
-- One for each filter of the listing, in its order.
CREATE INDEX gate_runs_newest ON reviews.gate_runs (tenant_id, created_at, gate_run_id);
CREATE INDEX gate_runs_target ON reviews.gate_runs (tenant_id, target_branch, created_at, gate_run_id);
CREATE INDEX gate_runs_source ON reviews.gate_runs (tenant_id, source_branch, created_at, gate_run_id);
CREATE INDEX gate_runs_verdict ON reviews.gate_runs (tenant_id, verdict, created_at, gate_run_id);
CREATE INDEX gate_runs_review ON reviews.gate_runs (tenant_id, review_id, created_at, gate_run_id)
  WHERE review_id IS NOT NULL;

RESET ROLE;
CALL tenancy.protect('reviews.gate_runs');
SET ROLE plat_reviews_owner;
GRANT SELECT, INSERT, UPDATE (verdict, failing_step, log_ref, updated_at) ON reviews.gate_runs TO plat_reviews;

-- A new gate run. A review that is given must be the tenant's. Decision E2.
CREATE FUNCTION reviews.create_gate_run(tenant uuid, run uuid, source text, target text, tip text, merge text,
  review uuid, decided text, step text, log text) RETURNS SETOF reviews.gate_runs
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  named text;
BEGIN
  IF review IS NOT NULL THEN
    SELECT r.name INTO named FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review;
    IF NOT FOUND THEN
      PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
    END IF;
  END IF;
  RETURN QUERY
    INSERT INTO reviews.gate_runs (tenant_id, gate_run_id, source_branch, target_branch, source_commit, merge_commit,
                                   review_id, review_name, verdict, failing_step, log_ref)
    VALUES (tenant, run, source, target, tip, merge, review, named, decided, step, log) RETURNING *;
END
$$;

-- Decides a run that is RUNNING: of several reports the first counts. No row when the tenant has no such run.
CREATE FUNCTION reviews.decide_gate_run(tenant uuid, run uuid, decided text, step text, log text)
RETURNS SETOF reviews.gate_runs
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  held text;
BEGIN
  RETURN QUERY
    UPDATE reviews.gate_runs g
       SET verdict = decided, failing_step = step, log_ref = coalesce(log, g.log_ref), updated_at = clock_timestamp()
     WHERE g.tenant_id = tenant AND g.gate_run_id = run AND g.verdict = 'RUNNING'
    RETURNING g.*;
  IF NOT FOUND THEN
    SELECT g.verdict INTO held FROM reviews.gate_runs g WHERE g.tenant_id = tenant AND g.gate_run_id = run;
    IF FOUND THEN
      PERFORM tenancy.refuse('GATE_RUN_ALREADY_DECIDED', jsonb_build_object('gateRunId', run, 'verdict', held));
    END IF;
  END IF;
END
$$;

-- One gate run that the caller may see.
CREATE FUNCTION reviews.get_gate_run(tenant uuid, run uuid) RETURNS SETOF reviews.gate_runs
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM reviews.gate_runs g
   WHERE g.tenant_id = ANY (identity.readable_tenants(tenant)) AND g.gate_run_id = run;
END
$$;

-- A page of gate runs, newest first, after the given place. Only the conditions that are asked for are written, so
-- that each finds its index.
CREATE FUNCTION reviews.list_gate_runs(tenant uuid, target text, source text, wanted text, review uuid,
  after_time timestamptz, after_id uuid, page int) RETURNS SETOF reviews.gate_runs
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT * FROM reviews.gate_runs g WHERE true'
    || CASE WHEN NOT tenancy.across() THEN ' AND g.tenant_id = $1' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND g.target_branch = $2' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND g.source_branch = $3' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND g.verdict = $4' ELSE '' END
    || CASE WHEN review IS NOT NULL THEN ' AND g.review_id = $5' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (g.created_at, g.gate_run_id) < ($6, $7)' ELSE '' END
    || ' ORDER BY g.created_at DESC, g.gate_run_id DESC LIMIT $8'
    USING tenant, target, source, wanted, review, after_time, after_id, page;
END
$$;

REVOKE ALL ON FUNCTION
  reviews.create_gate_run(uuid, uuid, text, text, text, text, uuid, text, text, text),
  reviews.decide_gate_run(uuid, uuid, text, text, text), reviews.get_gate_run(uuid, uuid),
  reviews.list_gate_runs(uuid, text, text, text, uuid, timestamptz, uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  reviews.create_gate_run(uuid, uuid, text, text, text, text, uuid, text, text, text),
  reviews.decide_gate_run(uuid, uuid, text, text, text), reviews.get_gate_run(uuid, uuid),
  reviews.list_gate_runs(uuid, text, text, text, uuid, timestamptz, uuid, int) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.get_gate_run(uuid, uuid),
  reviews.list_gate_runs(uuid, text, text, text, uuid, timestamptz, uuid, int) TO plat_operations;
RESET ROLE;
