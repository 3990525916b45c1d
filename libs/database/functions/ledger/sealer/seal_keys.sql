CREATE OR REPLACE FUNCTION ledger.seal_keys(log ledger.logs, signing_keys bytea[], first bigint) RETURNS int
LANGUAGE plpgsql
AS $$
DECLARE
  sealed int;
BEGIN
  INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed, public_key)
  SELECT log.tenant_id, first + row_number() OVER (ORDER BY k.place) - 1, 'key', gen_random_uuid(), clock_timestamp(), k.s1,
         k.s2, ledger.commitment(k.s1, ledger.key_fields(k.key)), ledger.commitment(k.s2, '{}'), k.key
    FROM (SELECT u.key, u.place, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
            FROM unnest(signing_keys) WITH ORDINALITY AS u (key, place) WHERE u.key <> ALL (log.keys)) AS k;
  GET DIAGNOSTICS sealed = ROW_COUNT;
  RETURN sealed;
END
$$;
COMMENT ON FUNCTION ledger.seal_keys IS
  'Gives the keys that a log does not have yet their entries, and returns how many. ledger.seal_log calls it.';
REVOKE ALL ON FUNCTION ledger.seal_keys FROM PUBLIC;
