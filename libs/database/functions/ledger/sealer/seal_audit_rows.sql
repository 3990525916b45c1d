CREATE OR REPLACE FUNCTION ledger.seal_audit_rows(log ledger.logs, horizon xid8, first bigint, most int,
  OUT sealed int, OUT more boolean, OUT below xid8)
LANGUAGE plpgsql
AS $$
DECLARE
  last xid8;
  seen int;
BEGIN
  WITH found AS MATERIALIZED (
    SELECT e
      FROM audit.audit_events e
     WHERE e.tenant_id = log.tenant_id AND e.written_in >= log.sealed_below AND e.written_in < horizon
       AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                          AND x.id = e.audit_event_id AND x.part = 0 OFFSET 0)
     ORDER BY e.written_in LIMIT most),
  picked AS MATERIALIZED (
    -- A login that was taken over may have written an id twice: the first row has the entry.
    SELECT DISTINCT ON ((f.e).audit_event_id) f.e, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
      FROM found f ORDER BY (f.e).audit_event_id, (f.e).created_at),
  sealed_rows AS (
    INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed)
    SELECT log.tenant_id, first + row_number() OVER (ORDER BY (p.e).written_in, (p.e).created_at) - 1, 'audit',
           (p.e).audit_event_id, (p.e).created_at, p.s1, p.s2, ledger.open_of(p.e, p.s1),
           ledger.commitment(p.s2, ledger.hidden_audit_fields(p.e))
      FROM picked p)
  SELECT (SELECT count(*) FROM picked), (SELECT count(*) FROM found),
         (SELECT (f.e).written_in FROM found f ORDER BY (f.e).written_in DESC LIMIT 1) INTO sealed, seen, last;
  more := seen = most;
  below := CASE WHEN more THEN last ELSE horizon END;
END
$$;
COMMENT ON FUNCTION ledger.seal_audit_rows IS
  'Gives the unsealed rows of the trail whose transaction is before the horizon their entries, at most the given '
  'number. Returns how many, whether some may be left, and the transaction before which none is left. ledger.seal_log '
  'calls it.';
REVOKE ALL ON FUNCTION ledger.seal_audit_rows FROM PUBLIC;
