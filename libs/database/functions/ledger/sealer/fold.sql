CREATE OR REPLACE FUNCTION ledger.fold(hashes bytea) RETURNS bytea
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
REVOKE ALL ON FUNCTION ledger.fold FROM PUBLIC;
