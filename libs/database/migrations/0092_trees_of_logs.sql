-- The trees of sealed logs, as tiles.
-- Guarantees: a tile is only added to, and the root of each size follows from the tiles, by RFC 6962.
-- Functions only; runs in milliseconds.

GRANT CREATE ON SCHEMA ledger TO plat_ledger_sealer;
SET ROLE plat_ledger_sealer;

CREATE FUNCTION ledger.fold(hashes bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
  width int := length(hashes) / 32;
BEGIN
  -- A last node without a neighbour goes up as it is, which is RFC 6962's split at the largest power of two.
  WHILE width > 1
  LOOP
    hashes := (SELECT string_agg(sha256('\x01'::bytea || substr(hashes, i * 64 + 1, 64)), ''::bytea ORDER BY i)
                 FROM generate_series(0, width / 2 - 1) AS i)
              || CASE WHEN width % 2 = 1 THEN substr(hashes, (width - 1) * 32 + 1) ELSE ''::bytea END;
    width := (width + 1) / 2;
  END LOOP;
  RETURN hashes;
END
$$;
COMMENT ON FUNCTION ledger.fold IS
  'Returns the RFC 6962 root of up to 256 neighbouring hashes. ledger.add_hashes and ledger.root_of call it.';

CREATE FUNCTION ledger.add_hashes(tenant uuid, first bigint, added bytea) RETURNS void
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

CREATE FUNCTION ledger.root_of(tenant uuid, size bigint) RETURNS bytea
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  lvl   smallint := 0;
  count bigint := size;
  below bytea := ''::bytea;
BEGIN
  IF size = 0 THEN
    RETURN sha256('');
  END IF;
  LOOP
    -- The tile that is not full, and the root of what is not full below it.
    below := ledger.fold(coalesce((SELECT substr(t.hashes, 1, (count % 256)::int * 32) FROM ledger.tiles t
                                    WHERE t.tenant_id = tenant AND t.level = lvl AND t.tile_index = count / 256
                                      AND count % 256 > 0), ''::bytea) || below);
    EXIT WHEN count < 256;
    count := count / 256;
    lvl := lvl + 1;
  END LOOP;
  RETURN below;
END
$$;
COMMENT ON FUNCTION ledger.root_of IS
  'Returns the RFC 6962 root of the first entries of a log, from its tiles. ledger.seal_log and ledger.altered_logs call it.';

REVOKE ALL ON FUNCTION ledger.fold(bytea), ledger.add_hashes(uuid, bigint, bytea), ledger.root_of(uuid, bigint) FROM PUBLIC;
RESET ROLE;
REVOKE CREATE ON SCHEMA ledger FROM plat_ledger_sealer;
