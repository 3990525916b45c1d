CREATE OR REPLACE FUNCTION reviews.history_parts(tenant uuid, target text, repo text) RETURNS text[]
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  named text[] := ARRAY[]::text[];
  next  text := '';
BEGIN
  IF repo IS NOT NULL THEN
    RETURN ARRAY[repo];
  END IF;
  LOOP
    next := reviews.next_logged_repository(tenant, target, next);
    EXIT WHEN next IS NULL;
    named := named || next;
  END LOOP;
  IF cardinality(named) > 1 THEN
    PERFORM tenancy.refuse('MERGE_QUEUE_AMBIGUOUS', jsonb_build_object(
      'targetBranch', target, 'repositories', to_jsonb(named), 'unrecordedRepositoryReviewIds', '[]'::jsonb));
  END IF;
  RETURN named || NULL::text;
END
$$;
COMMENT ON FUNCTION reviews.history_parts IS
  'Returns the repositories whose moves are the history of a queue: the named repository alone; without a name the '
  'only one that the log names, with NULL for the moves that name none. Refuses with MERGE_QUEUE_AMBIGUOUS if the log '
  'names several. reviews.queue_statistics calls it.';
REVOKE ALL ON FUNCTION reviews.history_parts FROM PUBLIC;
