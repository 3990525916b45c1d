CREATE OR REPLACE FUNCTION ledger.add_log(tenant uuid, host text) RETURNS void
LANGUAGE plpgsql
-- Another sealer may be adding it in a transaction of many logs, and that one may wait for a log that is added here.
SET lock_timeout = '50ms'
AS $$
BEGIN
  INSERT INTO ledger.logs (tenant_id, origin, sealed_below, landed_below, cluster, rescanned_at, rescanned_id, rescanned_review)
  SELECT tenant, host || '/log/' || tenant, h.horizon, h.horizon, ledger.cluster(), '-infinity', n.id, n.id
    FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) AS h,
         (SELECT '00000000-0000-0000-0000-000000000000'::uuid AS id) AS n
  ON CONFLICT DO NOTHING;
EXCEPTION WHEN lock_not_available THEN
  NULL;
END
$$;
COMMENT ON FUNCTION ledger.add_log IS
  'Adds the log of a tenant, whose rows are all to be scanned. Does nothing if the log exists or another transaction '
  'is adding it. ledger.seal_log calls it.';
REVOKE ALL ON FUNCTION ledger.add_log FROM PUBLIC;
