CREATE OR REPLACE FUNCTION ledger.seal_due(host text, signing_keys bytea[], after_rows int, after_seconds double precision, most int,
  OUT sealed int, OUT more boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  logs_max CONSTANT int := 1000;
  -- The log that has waited longest first, so that one tenant's many rows do not keep another's from being sealed.
  due    uuid[] := ARRAY(SELECT w.tenant_id FROM ledger.waiting(after_rows, after_seconds, signing_keys) w
                          ORDER BY w.sealed_at NULLS FIRST LIMIT logs_max);
  -- The log's share of the room, but no less than a batch that is worth its cost.
  share  int := greatest(most / greatest(cardinality(due), 1), least(most, 1024));
  tenant uuid;
  done   record;
BEGIN
  sealed := 0;
  more := false;
  FOREACH tenant IN ARRAY due
  LOOP
    IF sealed >= most OR clock_timestamp() > statement_timestamp() + interval '4 s' THEN
      more := true;
      EXIT;
    END IF;
    BEGIN
      SELECT * INTO done FROM ledger.seal_log(tenant, host, signing_keys, least(most - sealed, share));
    EXCEPTION WHEN unique_violation OR check_violation OR data_exception THEN
      -- One log's fault keeps no other from being sealed; its own rows wait, and the alarm says so.
      RAISE WARNING 'the log of tenant % could not be sealed: %', tenant, SQLSTATE;
      CONTINUE;
    END;
    sealed := sealed + done.sealed;
    more := more OR done.more;
  END LOOP;
  -- If other sealers hold the logs that were due, nothing is left to do at once.
  more := more OR sealed > 0 AND cardinality(due) = logs_max;
END
$$;
COMMENT ON FUNCTION ledger.seal_due IS
  'Seals what is due in the logs of all tenants, about the given number of entries in at most 1000 logs, and returns '
  'how many entries were added and whether some are left. Each named key that a log does not have yet becomes an '
  'entry. The audit service calls it each second.';
REVOKE ALL ON FUNCTION ledger.seal_due FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.seal_due TO plat_audit;
