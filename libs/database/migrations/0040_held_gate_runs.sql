-- A gate run may name its holder, and keeps who started it. Guarantee, by index: of one review at most one held run
-- is RUNNING, so two drives of one queue cannot gate the same merge, whatever they see of each other.
-- On a live table: two columns without a default, and an index whose condition no present row meets. Writers of gate
-- runs wait while the table is read once; nothing else does. The release before calls create_gate_run with ten
-- arguments, which still is the function below.

SET ROLE plat_reviews_owner;
SET LOCAL lock_timeout = '5s';

ALTER TABLE reviews.gate_runs
  ADD COLUMN creator_user_id uuid,
  ADD COLUMN holder text CHECK (holder <> '' AND length(holder) <= 512);
CREATE UNIQUE INDEX gate_runs_held ON reviews.gate_runs (tenant_id, review_id)
  WHERE verdict = 'RUNNING' AND holder IS NOT NULL AND review_id IS NOT NULL;

DROP FUNCTION reviews.create_gate_run(uuid, uuid, text, text, text, text, uuid, text, text, text);

-- A new gate run. A review that is given must be the tenant's; a held run is refused while another one of the review
-- is RUNNING. Decision E2.
CREATE FUNCTION reviews.create_gate_run(tenant uuid, run uuid, source text, target text, tip text, merge text,
  review uuid, decided text, step text, log text, held_by text DEFAULT NULL) RETURNS SETOF reviews.gate_runs
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  named   text;
  running reviews.gate_runs;
BEGIN
  IF review IS NOT NULL THEN
    SELECT r.name INTO named FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review;
    IF NOT FOUND THEN
      PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
    END IF;
  END IF;
  LOOP
    RETURN QUERY
    INSERT INTO reviews.gate_runs (tenant_id, gate_run_id, source_branch, target_branch, source_commit, merge_commit,
                                   review_id, review_name, verdict, failing_step, log_ref, holder, creator_user_id)
    VALUES (tenant, run, source, target, tip, merge, review, named, decided, step, log, held_by, tenancy.user_id())
    -- Waits for a run that is being started or decided at the same moment.
    ON CONFLICT (tenant_id, review_id) WHERE verdict = 'RUNNING' AND holder IS NOT NULL AND review_id IS NOT NULL
    DO NOTHING
    RETURNING *;
    EXIT WHEN FOUND;
    SELECT * INTO running FROM reviews.gate_runs g
     WHERE g.tenant_id = tenant AND g.review_id = review AND g.verdict = 'RUNNING' AND g.holder IS NOT NULL;
    -- Not found: it was decided since, and the insert is free to be made.
    IF FOUND THEN
      PERFORM tenancy.refuse('GATE_RUN_HELD', jsonb_strip_nulls(jsonb_build_object('gateRunId', running.gate_run_id,
        'holder', running.holder, 'creatorUserId', running.creator_user_id, 'mergeCommit', running.merge_commit,
        'since', to_char(running.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))));
    END IF;
  END LOOP;
END
$$;

REVOKE ALL ON FUNCTION
  reviews.create_gate_run(uuid, uuid, text, text, text, text, uuid, text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  reviews.create_gate_run(uuid, uuid, text, text, text, text, uuid, text, text, text, text) TO plat_reviews;
RESET ROLE;
