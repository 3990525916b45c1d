CREATE OR REPLACE FUNCTION reviews.create_gate_run(tenant uuid, run uuid, source text, target text, tip text, merge text,
  review uuid, decided text, step text, log text, held_by text DEFAULT NULL) RETURNS SETOF reviews.gate_runs
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
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
    -- Waits for a run that is being started or decided at the same moment. A run of this id raises
    -- unique_violation: the service makes a new id for each run, so only a login that was taken over names one that exists.
    ON CONFLICT (tenant_id, review_id) WHERE verdict = 'RUNNING' AND holder IS NOT NULL AND review_id IS NOT NULL
    DO NOTHING
    RETURNING *;
    EXIT WHEN FOUND;
    SELECT * INTO running FROM reviews.gate_runs g
     WHERE g.tenant_id = tenant AND g.review_id = review AND g.verdict = 'RUNNING' AND g.holder IS NOT NULL;
    -- If it is not found, it was decided meanwhile, and the insert can be repeated.
    IF FOUND THEN
      PERFORM tenancy.refuse('GATE_RUN_HELD', jsonb_strip_nulls(jsonb_build_object('gateRunId', running.gate_run_id,
        'holder', running.holder, 'creatorUserId', running.creator_user_id, 'mergeCommit', running.merge_commit,
        -- As an answer's times are: without the zeros at the end.
        'since', (to_json(running.created_at AT TIME ZONE INTERVAL '0') #>> '{}') || 'Z')));
    END IF;
  END LOOP;
END
$$;
COMMENT ON FUNCTION reviews.create_gate_run IS
  'Adds a gate run of the transaction''s user and returns it. Refuses with NOT_FOUND for a review that the tenant '
  'does not have, and a held run with GATE_RUN_HELD, whose details name the holder, if another held run of the '
  'review is RUNNING. Raises unique_violation if the tenant has a gate run of that id. The reviews service calls it '
  'for POST /v1/gate-runs.';
REVOKE ALL ON FUNCTION reviews.create_gate_run FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.create_gate_run TO plat_reviews;
