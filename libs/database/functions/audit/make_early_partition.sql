CREATE OR REPLACE FUNCTION audit.make_early_partition() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
DECLARE
  first_moment timestamptz := (SELECT min(lower(p.covers)) FROM audit.partitions() p
                                WHERE p.state = 'attached' AND lower(p.covers) IS NOT NULL);
BEGIN
  IF EXISTS (SELECT FROM audit.partitions() p WHERE p.partition = 'audit_events_early') THEN
    RETURN;
  END IF;
  CREATE TABLE audit.audit_events_early (LIKE audit.audit_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE);
  ALTER TABLE audit.audit_events_early OWNER TO plat_audit_owner;
  COMMENT ON TABLE audit.audit_events_early IS
    'The rows that are older than the first month of the trail: of tenants that have moved here, or of a wrong clock.';
  CALL tenancy.lock_partition('audit.audit_events_early');
  EXECUTE format('ALTER TABLE audit.audit_events ATTACH PARTITION audit.audit_events_early FOR VALUES FROM (MINVALUE) TO (%L)',
                 first_moment);
END
$$;
COMMENT ON FUNCTION audit.make_early_partition IS
  'Makes the partition of all time before the first month of the trail, if there is none: a tenant that moves here '
  'brings its old rows. npm run db -- prune calls it after it has dropped months.';
REVOKE ALL ON FUNCTION audit.make_early_partition FROM PUBLIC;
