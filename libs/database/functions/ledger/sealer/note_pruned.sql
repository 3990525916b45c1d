CREATE OR REPLACE FUNCTION ledger.note_pruned(tenant uuid, ids uuid[], times timestamptz[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  erased int8multirange;
BEGIN
  -- The row of the log is not locked, because a sealer reads no entry that is sealed already.
  WITH gone AS (
    UPDATE ledger.entries x SET open_salt = NULL, closed_salt = NULL
      FROM unnest(ids, times) AS g (id, at)
     WHERE x.tenant_id = tenant AND x.kind = 'audit' AND x.id = g.id AND x.part = 0 AND x.at = g.at AND x.open_salt IS NOT NULL
    RETURNING x.leaf_index)
  SELECT range_agg(int8range(g.leaf_index, g.leaf_index + 1)) INTO erased FROM gone g;
  IF erased IS NOT NULL THEN
    INSERT INTO ledger.erasures (tenant_id, erasure_id, reason, entries)
    VALUES (tenant, gen_random_uuid(), 'retention', erased);
  END IF;
END
$$;
COMMENT ON FUNCTION ledger.note_pruned IS
  'Removes the salts of the entries of a tenant''s rows, named by their ids and times, and adds an erasure that '
  'names the entries. An entry whose row is not among them keeps its salt. audit.mark_pruned calls it.';
REVOKE ALL ON FUNCTION ledger.note_pruned FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.note_pruned TO plat_audit_owner;
