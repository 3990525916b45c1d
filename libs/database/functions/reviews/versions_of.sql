CREATE OR REPLACE FUNCTION reviews.versions_of(asked jsonb) RETURNS TABLE(place bigint, version text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope    record;
  readable uuid[];
  threads  text;
BEGIN
  FOR scope IN SELECT s.proof, s.across, s.watched
                 FROM jsonb_to_recordset(asked) AS s (proof text, across boolean, watched jsonb)
  LOOP
    BEGIN
      readable := identity.readable_tenants(tenancy.enter_as(scope.proof, scope.across));
    EXCEPTION WHEN SQLSTATE 'PL001' OR insufficient_privilege THEN
      -- A tenant that is not served any more does not fail the others. Its requests are refused when they are judged again.
      readable := NULL;
    END;
    -- Once for all queues of the tenant, since an index has just the open threads.
    IF jsonb_path_exists(scope.watched, '$[*] ? (@.kind == "status")') THEN
      SELECT concat_ws('.', count(*), sum(hashtextextended(c.review_id::text, 0))) INTO threads
        FROM reviews.comments c WHERE c.tenant_id = ANY (readable) AND c.status = 'OPEN';
    END IF;
    RETURN QUERY
    SELECT w.place, CASE
      WHEN readable IS NULL THEN NULL
      -- A row's xmin is the transaction that wrote it.
      WHEN w.kind = 'review' THEN (
        SELECT string_agg(r.xmin::text, ',') FROM reviews.reviews r
         WHERE r.tenant_id = ANY (readable) AND r.review_id = w.id::uuid)
      WHEN w.kind = 'gateRun' THEN (
        SELECT string_agg(g.xmin::text, ',') FROM reviews.gate_runs g
         WHERE g.tenant_id = ANY (readable) AND g.gate_run_id = w.id::uuid)
      WHEN w.kind IN ('queue', 'status') AND w.id IS NOT NULL THEN (
        SELECT concat_ws('.', count(*), sum(q.version)) FROM reviews.queues q
         WHERE q.tenant_id = ANY (readable) AND q.target_branch = w.id)
      WHEN w.kind = 'queue' THEN (
        SELECT concat_ws('.', count(*), sum(q.version)) FROM reviews.queues q WHERE q.tenant_id = ANY (readable))
      END || CASE WHEN w.kind = 'status' THEN concat_ws('/', '', threads,
        -- The last gate runs of the reviews at MERGE.
        (SELECT concat_ws('.', count(*), sum(hashtextextended(g.gate_run_id::text, g.written)))
           FROM reviews.reviews r
          CROSS JOIN LATERAL (
            SELECT n.gate_run_id, n.xmin::text::bigint AS written FROM reviews.gate_runs n
             WHERE n.tenant_id = r.tenant_id AND n.review_id = r.review_id
             ORDER BY n.created_at DESC, n.gate_run_id DESC LIMIT 1000) AS g
          WHERE r.tenant_id = ANY (readable) AND r.target_branch = w.id AND r.status = 'MERGE')) ELSE '' END
      FROM jsonb_to_recordset(scope.watched) AS w (place bigint, kind text, id text);
  END LOOP;
END
$$;
COMMENT ON FUNCTION reviews.versions_of IS
  'Returns, for each place of the question, a text that changes with each change of the watched thing: a review, a '
  'gateRun, the line of a queue (of all queues, if id is NULL) or the status of a queue: its line, the open threads '
  'and the gate runs of its slot. The question has a proof for each tenant: [{proof, across, watched: [{place, kind, '
  'id}]}]. NULL if there is no such thing, the proof does not hold or the tenant is not served. Each process of the '
  'reviews service calls it once a second while requests wait.';
REVOKE ALL ON FUNCTION reviews.versions_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.versions_of TO plat_reviews;
