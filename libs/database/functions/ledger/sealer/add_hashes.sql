CREATE OR REPLACE FUNCTION ledger.add_hashes(tenant uuid, first bigint, added bytea) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  lvl   smallint := 0;
  start bigint := first;
  -- How many hashes of the level there are afterwards
  past  bigint;
BEGIN
  WHILE length(added) > 0
  LOOP
    past := start + length(added) / 32;
    INSERT INTO ledger.tiles AS t (tenant_id, level, tile_index, hashes)
    SELECT tenant, lvl, i, substr(added, ((greatest(start, i * 256) - start) * 32 + 1)::int,
                                  ((least(past, (i + 1) * 256) - greatest(start, i * 256)) * 32)::int)
      FROM generate_series(start / 256, (past - 1) / 256) AS i
    ON CONFLICT (tenant_id, level, tile_index) DO UPDATE SET hashes = t.hashes || excluded.hashes;
    -- Each tile that has become full is one hash of the level above.
    SELECT coalesce(string_agg(ledger.fold(t.hashes), ''::bytea ORDER BY t.tile_index), ''::bytea) INTO added
      FROM ledger.tiles t
     WHERE t.tenant_id = tenant AND t.level = lvl AND t.tile_index >= start / 256 AND t.tile_index < past / 256;
    start := start / 256;
    lvl := lvl + 1;
  END LOOP;
END
$$;
COMMENT ON FUNCTION ledger.add_hashes IS
  'Adds the hashes of new entries to the tiles of a log, and of each tile that has become full to the level above. '
  'ledger.seal_log calls it.';
REVOKE ALL ON FUNCTION ledger.add_hashes FROM PUBLIC;
