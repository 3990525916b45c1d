CREATE OR REPLACE FUNCTION ledger.rescan_audit_rows(log ledger.logs, first bigint, most int,
  OUT sealed int, OUT last_at timestamptz, OUT last_id uuid)
LANGUAGE plpgsql
AS $$
DECLARE
  seen int;
BEGIN
  WITH looked AS MATERIALIZED (
    SELECT e
      FROM audit.audit_events e
     WHERE e.tenant_id = log.tenant_id
       AND (e.created_at, e.audit_event_id) > (log.rescanned_at, log.rescanned_id)
     ORDER BY e.created_at, e.audit_event_id LIMIT most),
  picked AS MATERIALIZED (
    SELECT DISTINCT ON ((l.e).audit_event_id) l.e, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
      FROM looked l
     WHERE NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = log.tenant_id AND x.kind = 'audit'
                          AND x.id = (l.e).audit_event_id AND x.part = 0 OFFSET 0)
     ORDER BY (l.e).audit_event_id, (l.e).created_at),
  sealed_rows AS (
    INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed)
    SELECT log.tenant_id, first + row_number() OVER (ORDER BY (p.e).created_at, (p.e).audit_event_id) - 1, 'audit',
           (p.e).audit_event_id, (p.e).created_at, p.s1, p.s2, ledger.open_of(p.e, p.s1),
           ledger.commitment(p.s2, ledger.hidden_audit_fields(p.e))
      FROM picked p)
  SELECT (SELECT count(*) FROM picked), (SELECT count(*) FROM looked), z.at, z.id INTO sealed, seen, last_at, last_id
    FROM (SELECT) AS one
    LEFT JOIN (SELECT (l.e).created_at AS at, (l.e).audit_event_id AS id FROM looked l ORDER BY 1 DESC, 2 DESC LIMIT 1) AS z
      ON true;
  -- Fewer than there was room for: the end of the trail was reached.
  IF seen < most THEN
    last_at := NULL;
    last_id := NULL;
  END IF;
END
$$;
COMMENT ON FUNCTION ledger.rescan_audit_rows IS
  'Gives the next unsealed rows of the trail their entries, in the order of their times. Their transactions do not '
  'count, because after a restore or a move the numbers mean nothing. Returns how many, and the last row that it '
  'looked at; NULL at the end. ledger.seal_log calls it.';
REVOKE ALL ON FUNCTION ledger.rescan_audit_rows FROM PUBLIC;
