CREATE OR REPLACE FUNCTION reviews.promotion_beside(tenant uuid, target text, parts text[], at_version bigint, later boolean)
RETURNS reviews.queue_moves
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  part  text;
  word  text;
  found reviews.queue_moves;
  best  reviews.queue_moves;
BEGIN
  FOREACH part IN ARRAY parts LOOP
    FOREACH word IN ARRAY ARRAY['PROMOTED', 'PROMOTED_BY_OVERRIDE'] LOOP
      IF NOT later THEN
        found := reviews.last_move(tenant, target, part, word, at_version - 1);
      ELSIF part IS NULL THEN
        SELECT * INTO found FROM reviews.queue_moves m
         WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository IS NULL
           AND (m.cause, m.version) > (word, at_version)
         ORDER BY m.repository, m.cause, m.version LIMIT 1;
      ELSE
        SELECT * INTO found FROM reviews.queue_moves m
         WHERE m.tenant_id = tenant AND m.target_branch = target AND (m.repository, m.cause, m.version) > (part, word, at_version)
         ORDER BY m.repository, m.cause, m.version LIMIT 1;
      END IF;
      IF found.cause = word AND found.repository IS NOT DISTINCT FROM part AND (best.version IS NULL OR (found.version > best.version) <> later) THEN
        best := found;
      END IF;
    END LOOP;
  END LOOP;
  RETURN best;
END
$$;
COMMENT ON FUNCTION reviews.promotion_beside IS
  'Returns the last promotion in a queue before a version of it or, if later is true, the first one after it; an '
  'empty row if there is none.';
REVOKE ALL ON FUNCTION reviews.promotion_beside FROM PUBLIC;
