CREATE OR REPLACE FUNCTION reviews.record_undone_work(tenant uuid, review uuid, work jsonb)
RETURNS TABLE(review_id uuid)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH examined AS (
    UPDATE reviews.undone_work u
       SET examined_at = clock_timestamp(), unknown_reason = work ->> 'unknown',
           findings_left_out = coalesce((work ->> 'findingsLeftOut')::integer, 0),
           window_landings = (work -> 'window' ->> 'landings')::integer,
           window_oldest_commit_id = work -> 'window' ->> 'oldestCommitId',
           window_is_complete = (work -> 'window' ->> 'isComplete')::boolean
     WHERE u.tenant_id = tenant AND u.review_id = review AND u.examined_at IS NULL
    RETURNING u.tenant_id, u.review_id
  ), found AS (
    INSERT INTO reviews.undone_findings (tenant_id, review_id, place, commit_id, path, in_file, first_line, last_line,
      kind, certainty, source_commit_id, is_said)
    SELECT e.tenant_id, e.review_id, f.place, f.finding ->> 'commitId', f.finding ->> 'path', f.finding ->> 'in',
           (f.finding ->> 'firstLine')::integer, (f.finding ->> 'lastLine')::integer, f.finding ->> 'kind',
           f.finding ->> 'certainty', f.finding ->> 'sourceCommitId', (f.finding ->> 'isSaid')::boolean
      FROM examined e
     CROSS JOIN LATERAL jsonb_array_elements(coalesce(work -> 'findings', '[]'))
           WITH ORDINALITY AS f (finding, place)
    RETURNING 1
  )
  SELECT e.review_id FROM examined e
$$;
COMMENT ON FUNCTION reviews.record_undone_work IS
  'Stores what a merge takes back of earlier landings, and returns its review. No row, and no change, if that is '
  'stored already. The work is a JSON object in the fields of ExaminedWork (apps/reviews). The reviews service calls '
  'it after a merge.';
REVOKE ALL ON FUNCTION reviews.record_undone_work FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.record_undone_work TO plat_reviews;
