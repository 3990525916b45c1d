CREATE OR REPLACE FUNCTION ledger.seal_erasures(log ledger.logs, first bigint, most int) RETURNS int
LANGUAGE plpgsql
AS $$
DECLARE
  sealed int;
BEGIN
  WITH picked AS MATERIALIZED (
    SELECT r.*, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2 FROM ledger.erasures r
     WHERE r.tenant_id = log.tenant_id AND NOT r.sealed ORDER BY r.erased_at, r.erasure_id LIMIT most),
  marked AS (
    UPDATE ledger.erasures r SET sealed = true FROM picked p
     WHERE r.tenant_id = log.tenant_id AND r.erasure_id = p.erasure_id)
  INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed)
  SELECT log.tenant_id, first + row_number() OVER (ORDER BY p.erased_at, p.erasure_id) - 1, 'erasure', p.erasure_id,
         p.erased_at, p.s1, p.s2, ledger.commitment(p.s1, ledger.erasure_fields(p.entries, p.reason)),
         ledger.commitment(p.s2, '{}')
    FROM picked p;
  GET DIAGNOSTICS sealed = ROW_COUNT;
  RETURN sealed;
END
$$;
COMMENT ON FUNCTION ledger.seal_erasures IS
  'Gives unsealed erasures of a tenant their entries, at most the given number, and returns how many. ledger.seal_log '
  'calls it.';
REVOKE ALL ON FUNCTION ledger.seal_erasures FROM PUBLIC;
