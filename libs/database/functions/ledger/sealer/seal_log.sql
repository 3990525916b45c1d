CREATE OR REPLACE FUNCTION ledger.seal_log(tenant uuid, host text, signing_keys bytea[], most int, OUT sealed int, OUT more boolean)
LANGUAGE plpgsql
AS $$
DECLARE
  log      ledger.logs;
  horizon  xid8;
  erasures int;
  landings record;
  new_rows record;
  old_rows record;
  -- The most entries of one kind while another kind has some too.
  half     int := greatest(most / 2, 1);
  room     int;
BEGIN
  sealed := 0;
  more := false;
  SELECT * INTO log FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    PERFORM ledger.add_log(tenant, host);
    SELECT * INTO log FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  -- Every transaction before it has ended, so that the statements after this one see all of its rows.
  horizon := pg_snapshot_xmin(pg_current_snapshot());
  IF log.cluster <> ledger.cluster() THEN
    log.sealed_below := horizon;
    log.landed_below := horizon;
    log.rescanned_at := '-infinity';
    log.rescanned_id := '00000000-0000-0000-0000-000000000000';
    log.rescanned_review := '00000000-0000-0000-0000-000000000000';
  END IF;
  sealed := ledger.seal_keys(log, signing_keys, log.size);
  erasures := ledger.seal_erasures(log, log.size + sealed, half);
  sealed := sealed + erasures;
  SELECT * INTO landings FROM ledger.seal_landings(log, horizon, log.size + sealed, half);
  sealed := sealed + landings.sealed;
  room := greatest(most - erasures - landings.sealed, half);
  SELECT * INTO new_rows FROM ledger.seal_audit_rows(log, horizon, log.size + sealed, room);
  sealed := sealed + new_rows.sealed;
  more := erasures = half OR landings.more OR new_rows.more;
  IF log.rescanned_at IS NOT NULL AND NOT new_rows.more THEN
    SELECT * INTO old_rows FROM ledger.rescan_audit_rows(log, log.size + sealed, room - new_rows.sealed);
    sealed := sealed + old_rows.sealed;
    log.rescanned_at := old_rows.last_at;
    log.rescanned_id := old_rows.last_id;
    more := more OR old_rows.last_at IS NOT NULL;
  END IF;
  IF sealed > 0 THEN
    PERFORM ledger.add_hashes(tenant, log.size, (
      SELECT string_agg(sha256('\x00'::bytea || convert_to(ledger.leaf(x.kind, x.id, x.at, x.open, x.closed), 'UTF8')),
                        ''::bytea ORDER BY x.leaf_index)
        FROM ledger.entries x WHERE x.tenant_id = tenant AND x.leaf_index >= log.size));
    log.size := log.size + sealed;
    log.root := ledger.root_of(tenant, log.size);
    log.keys := log.keys || ARRAY(SELECT k FROM unnest(signing_keys) AS k WHERE k <> ALL (log.keys));
    log.sealed_at := clock_timestamp();
    log.unsigned_since := coalesce(log.unsigned_since, log.sealed_at);
  END IF;
  log.cluster := ledger.cluster();
  log.sealed_below := new_rows.below;
  log.landed_below := landings.below;
  log.rescanned_review := landings.last_review;
  UPDATE ledger.logs l
     SET (size, root, keys, sealed_at, unsigned_since, cluster, sealed_below, landed_below, rescanned_at, rescanned_id,
          rescanned_review)
       = (log.size, log.root, log.keys, log.sealed_at, log.unsigned_since, log.cluster, log.sealed_below, log.landed_below,
          log.rescanned_at, log.rescanned_id, log.rescanned_review)
   -- While an old transaction holds the horizon there may be nothing new to say.
   WHERE l.tenant_id = tenant AND l IS DISTINCT FROM log;
END
$$;
COMMENT ON FUNCTION ledger.seal_log IS
  'Seals what a tenant''s log lacks, about the given number of entries at most, and stores its size and root. Returns '
  'how many entries were added, and whether some are left. Does nothing while another transaction holds the log. '
  'ledger.seal_due calls it.';
REVOKE ALL ON FUNCTION ledger.seal_log FROM PUBLIC;
