CREATE OR REPLACE FUNCTION ledger.root_of(tenant uuid, size bigint) RETURNS bytea
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
  'Returns the RFC 6962 root of the first entries of a log, from its tiles. ledger.seal_log and ledger.altered_logs '
  'call it.';
REVOKE ALL ON FUNCTION ledger.root_of FROM PUBLIC;
