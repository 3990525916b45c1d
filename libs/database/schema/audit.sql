-- The schema audit after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Partitions are left out.

-- The audit trail. Every service writes it, by audit.record_requests; the audit service reads it.
CREATE SCHEMA audit AUTHORIZATION plat_audit_owner;
GRANT USAGE ON SCHEMA audit TO plat_audit;
GRANT USAGE ON SCHEMA audit TO plat_builds;
GRANT USAGE ON SCHEMA audit TO plat_inspector;
GRANT USAGE ON SCHEMA audit TO plat_ledger_owner;
GRANT USAGE ON SCHEMA audit TO plat_ledger_sealer;
GRANT USAGE ON SCHEMA audit TO plat_operations;
GRANT USAGE ON SCHEMA audit TO plat_platform;
GRANT USAGE ON SCHEMA audit TO plat_releases;
GRANT USAGE ON SCHEMA audit TO plat_reviews;

-- One row an authorized request, written before the request acts. No function changes or deletes one, and none
-- returns the arguments of a request. Partitioned by month.
CREATE TABLE audit.audit_events (
  tenant_id uuid NOT NULL,
  audit_event_id uuid NOT NULL,
  request_id text NOT NULL,
  erun_user_id uuid NOT NULL,
  external_user_id text NOT NULL,
  external_issuer_id text NOT NULL,
  external_org_id text,
  type text NOT NULL,
  api_method text,
  api_path text,
  mcp_tool text,
  cli_command text,
  api_parameters jsonb,
  mcp_tool_parameters jsonb,
  cli_parameters jsonb,
  created_at timestamp with time zone NOT NULL,
  caller_request_id text,
  written_in xid8 DEFAULT pg_current_xact_id(),
  CONSTRAINT audit_events_pkey PRIMARY KEY (tenant_id, created_at, audit_event_id),
  CONSTRAINT audit_events_api CHECK (((type <> 'API'::text) OR (num_nulls(api_method, api_path) = 0))),
  CONSTRAINT audit_events_api_path_check CHECK ((api_path ~ '^/v1/[a-z0-9_/{}-]*$'::text)),
  CONSTRAINT audit_events_caller_request_id CHECK ((caller_request_id ~ '^[A-Za-z0-9._-]{1,64}$'::text)),
  CONSTRAINT audit_events_check1 CHECK (((type = 'MCP'::text) = (mcp_tool IS NOT NULL))),
  CONSTRAINT audit_events_check2 CHECK ((num_nonnulls(api_method, api_path) <> 1)),
  CONSTRAINT audit_events_mcp_tool_check CHECK ((mcp_tool ~ '^[a-z][a-z0-9_-]{0,63}$'::text)),
  CONSTRAINT audit_events_type_check CHECK ((type = ANY (ARRAY['API'::text, 'MCP'::text, 'CLI'::text])))
) PARTITION BY RANGE (created_at);

-- One row a stretch of time whose rows of the trail are not pruned before kept_until, whatever period an operator
-- names. The owner of the database writes it; audit.prunable_partitions and audit.drop_partition obey it. It has no
-- rows of tenants.
CREATE TABLE audit.holds (
  hold_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  covers tstzrange NOT NULL,
  kept_until timestamp with time zone NOT NULL,
  reason text NOT NULL,
  CONSTRAINT holds_pkey PRIMARY KEY (hold_id),
  CONSTRAINT holds_covers_check CHECK ((NOT isempty(covers))),
  CONSTRAINT holds_reason_check CHECK ((reason <> ''::text))
);

-- One row a partition of the trail that has been exported to be pruned, with what its export holds; dropped_at is
-- NULL until it is dropped. Rows are kept, so that an export can be checked against them later. It has no rows of
-- tenants.
CREATE TABLE audit.pruned_partitions (
  export text NOT NULL,
  partition text NOT NULL,
  covers tstzrange NOT NULL,
  rows bigint NOT NULL,
  digest numeric NOT NULL,
  sha256 text NOT NULL,
  exported_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  dropped_at timestamp with time zone,
  CONSTRAINT pruned_partitions_pkey PRIMARY KEY (export),
  CONSTRAINT pruned_partitions_export_check CHECK ((export ~ '^[a-z0-9_]{1,80}$'::text)),
  CONSTRAINT pruned_partitions_rows_check CHECK ((rows >= 0)),
  CONSTRAINT pruned_partitions_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);

CREATE INDEX audit_events_api ON ONLY audit.audit_events USING btree (tenant_id, api_method, api_path, created_at, audit_event_id);
CREATE INDEX audit_events_method ON ONLY audit.audit_events USING btree (tenant_id, api_method, created_at, audit_event_id);
CREATE INDEX audit_events_path ON ONLY audit.audit_events USING btree (tenant_id, api_path, created_at, audit_event_id);
CREATE INDEX audit_events_rare_type ON ONLY audit.audit_events USING btree (tenant_id, type, created_at, audit_event_id) WHERE (type <> 'API'::text);
CREATE INDEX audit_events_user ON ONLY audit.audit_events USING btree (tenant_id, erun_user_id, created_at, audit_event_id);
CREATE INDEX audit_events_written ON ONLY audit.audit_events USING btree (tenant_id, written_in);
CREATE UNIQUE INDEX pruned_partitions_under_way ON audit.pruned_partitions USING btree (partition) WHERE (dropped_at IS NULL);

ALTER TABLE audit.audit_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY erasing ON audit.audit_events FOR UPDATE TO plat_ledger_sealer USING (true) WITH CHECK (true);
CREATE POLICY inspection ON audit.audit_events FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON audit.audit_events FOR SELECT TO plat_audit_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY recorder ON audit.audit_events FOR INSERT TO plat_audit_owner WITH CHECK (true);
CREATE POLICY sealing ON audit.audit_events FOR SELECT TO plat_ledger_sealer USING (true);
CREATE POLICY tenant ON audit.audit_events USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE audit.holds DISABLE ROW LEVEL SECURITY;

ALTER TABLE audit.pruned_partitions DISABLE ROW LEVEL SECURITY;

-- Puts a detached partition back into the trail. Raises object_not_in_prerequisite_state if it is attached, or rows
-- have been written in its place. npm run db -- prune calls it if a row is not sealed.
CREATE OR REPLACE FUNCTION audit.attach_partition(partition_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
DECLARE
  present record;
  early   record;
BEGIN
  SELECT * INTO present FROM audit.partitions() p WHERE p.partition = partition_name;
  IF NOT FOUND OR present.state <> 'detached' THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('audit.%I is no detached partition', partition_name);
  END IF;
  SELECT * INTO early FROM audit.partitions() p
   WHERE p.partition = 'audit_events_early' AND p.state = 'attached' AND p.covers && present.covers;
  -- A prune that ended early has made it up to the first month that was attached then.
  IF FOUND THEN
    IF early.written THEN
      RAISE object_not_in_prerequisite_state
        USING MESSAGE = format('audit.audit_events_early has rows, and covers the time of audit.%I', partition_name);
    END IF;
    DROP TABLE audit.audit_events_early;
  END IF;
  EXECUTE format('DROP POLICY IF EXISTS pruning ON audit.%I', partition_name);
  EXECUTE format('ALTER TABLE audit.audit_events ATTACH PARTITION audit.%I FOR VALUES FROM (%s) TO (%L)', partition_name,
                 coalesce(quote_literal(lower(present.covers)), 'MINVALUE'), upper(present.covers));
END
$function$;

-- Drops a detached partition of the trail. Raises object_not_in_prerequisite_state if it is attached, held, has rows
-- and no recorded export, or rows that are not sealed or whose entries audit.mark_pruned has not marked, and
-- integrity_constraint_violation if its rows are not those of the export. npm run db -- prune calls it.
CREATE OR REPLACE FUNCTION audit.drop_partition(partition_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
DECLARE
  present  record;
  exported audit.pruned_partitions;
  found_rows   bigint;
  found_digest numeric;
  found_entries record;
BEGIN
  SELECT * INTO present FROM audit.partitions() p WHERE p.partition = partition_name;
  IF NOT FOUND OR present.state <> 'detached' THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('audit.%I is no detached partition', partition_name);
  END IF;
  PERFORM audit.open_partition(partition_name);
  EXECUTE format('SELECT count(*), coalesce(sum(audit.line_digest(to_jsonb(e)::text)), 0) FROM audit.%I e', partition_name)
    INTO found_rows, found_digest;
  SELECT * INTO found_entries FROM audit.examine_partition(partition_name);
  IF found_entries.unsealed > 0 OR found_entries.unmarked > 0 THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('audit.%I has %s rows that are not sealed, and %s whose entries still have their fields',
                             partition_name, found_entries.unsealed, found_entries.unmarked);
  END IF;
  IF found_rows > 0 AND audit.hold_on(present.covers) IS NOT NULL THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('audit.%I is %s', partition_name, audit.hold_on(present.covers));
  END IF;
  SELECT * INTO exported FROM audit.pruned_partitions p
   WHERE p.partition = partition_name AND p.dropped_at IS NULL FOR UPDATE;
  IF NOT FOUND AND found_rows > 0 THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('audit.%I has not been exported', partition_name);
  END IF;
  IF found_rows > 0 AND (exported.rows, exported.digest) IS DISTINCT FROM (found_rows, found_digest) THEN
    RAISE integrity_constraint_violation
      USING MESSAGE = format('audit.%I has %s rows that are not the %s of its export', partition_name, found_rows, exported.rows);
  END IF;
  EXECUTE format('DROP TABLE audit.%I', partition_name);
  UPDATE audit.pruned_partitions p SET dropped_at = clock_timestamp()
   WHERE p.partition = partition_name AND p.dropped_at IS NULL;
END
$function$;

-- Returns how many rows of a partition that is open are not sealed, and of how many the entry still has its fields.
-- Looks at each row. npm run db -- prune and audit.drop_partition call it.
CREATE OR REPLACE FUNCTION audit.examine_partition(partition_name text, OUT unsealed bigint, OUT unmarked bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  page     record;
  found    record;
  tenant   uuid;
  last_at  timestamptz;
  last_id  uuid;
  is_there boolean := true;
BEGIN
  unsealed := 0;
  unmarked := 0;
  WHILE is_there
  LOOP
    is_there := false;
    FOR page IN SELECT * FROM audit.next_rows(partition_name, tenant, last_at, last_id, 5000)
    LOOP
      SELECT * INTO found FROM ledger.examine_pruned(page.tenant, page.ids, page.times);
      unsealed := unsealed + found.unsealed;
      unmarked := unmarked + found.unmarked;
      tenant := page.tenant;
      last_at := page.times[cardinality(page.times)];
      last_id := page.ids[cardinality(page.ids)];
      is_there := true;
    END LOOP;
  END LOOP;
END
$function$;

-- Returns why rows of a stretch of time must be kept, in words for a person, or NULL. audit.prunable_partitions and
-- audit.drop_partition ask it.
CREATE OR REPLACE FUNCTION audit.hold_on(stretch tstzrange)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
  SELECT format('held until %s: %s',
                CASE WHEN h.kept_until = 'infinity' THEN 'the hold is taken away'
                     ELSE to_char(h.kept_until, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') END, h.reason)
    FROM audit.holds h WHERE h.covers && stretch AND h.kept_until > now() ORDER BY h.kept_until DESC, h.hold_id LIMIT 1
$function$;

-- Returns the first eight bytes of the SHA-256 of a line as a signed number. Their sum distinguishes two sets of rows
-- in any order. audit.drop_partition sums it, and so does who reads an export back.
CREATE OR REPLACE FUNCTION audit.line_digest(line text)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((('x'::text || "left"(encode(sha256(convert_to(line, 'UTF8'::name)), 'hex'::text), 16)))::bit(64))::bigint)::numeric;

-- Returns one page of the visible trail, newest first, after the given place, without the arguments of requests; a
-- NULL filter asks for nothing. The audit service calls it for GET /v1/audit-events.
CREATE OR REPLACE FUNCTION audit.list_events(tenant uuid, earliest timestamp with time zone, latest timestamp with time zone, usr uuid, kind text, method text, path text, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS TABLE(tenant_id uuid, audit_event_id uuid, erun_user_id uuid, external_user_id text, external_issuer_id text, external_org_id text, type text, api_method text, api_path text, mcp_tool text, cli_command text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.tenant_id, e.audit_event_id, e.erun_user_id, e.external_user_id, e.external_issuer_id,
            e.external_org_id, e.type, e.api_method, e.api_path, e.mcp_tool, e.cli_command, e.created_at
       FROM audit.audit_events e',
    CASE WHEN earliest IS NOT NULL THEN ' AND e.created_at >= $2' ELSE '' END
    || CASE WHEN latest IS NOT NULL THEN ' AND e.created_at <= $3' ELSE '' END
    || CASE WHEN usr IS NOT NULL THEN ' AND e.erun_user_id = $4' ELSE '' END
    || CASE WHEN kind IS NOT NULL THEN ' AND e.type = $5' ELSE '' END
    || CASE WHEN method IS NOT NULL THEN ' AND e.api_method = $6' ELSE '' END
    || CASE WHEN path IS NOT NULL THEN ' AND e.api_path = $7' ELSE '' END
    || CASE WHEN after_id IS NOT NULL
            THEN ' AND e.created_at <= $8 AND (e.created_at, e.audit_event_id) < ($8, $9)' ELSE '' END,
    'e.created_at DESC, e.audit_event_id DESC', '$10')
    USING tenant, earliest, latest, usr, kind, method, path, after_time, after_id, page;
END
$function$;

-- Makes the partition of all time before the first month of the trail, if there is none: a tenant that moves here
-- brings its old rows along. npm run db -- prune calls it after it has dropped months.
CREATE OR REPLACE FUNCTION audit.make_early_partition()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
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
    'The rows from before the first month of the trail: of tenants that have moved here, or of a wrong clock.';
  CALL tenancy.lock_partition('audit.audit_events_early');
  EXECUTE format('ALTER TABLE audit.audit_events ATTACH PARTITION audit.audit_events_early FOR VALUES FROM (MINVALUE) TO (%L)',
                 first_moment);
END
$function$;

-- Makes the partitions of audit.audit_events for a year from this month, and returns true; returns false if it does
-- not have a lock within half a second. The audit service calls it at its start and each day.
CREATE OR REPLACE FUNCTION audit.make_partitions()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '500ms'
AS $function$
BEGIN
  CALL tenancy.make_partitions('audit.audit_events', (now() AT TIME ZONE 'UTC')::date, 12);
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END
$function$;

-- Erases the fields of the entries of the next rows of a partition that is open, at most so many after a place, and
-- returns the last one's place; no tenant at the end. Raises object_not_in_prerequisite_state if it has not been
-- exported, or is held. npm run db -- prune calls it.
CREATE OR REPLACE FUNCTION audit.mark_pruned(partition_name text, INOUT last_tenant uuid, INOUT last_at timestamp with time zone, INOUT last_id uuid, most integer)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
DECLARE
  page     record;
  exported audit.pruned_partitions;
BEGIN
  SELECT * INTO exported FROM audit.pruned_partitions p WHERE p.partition = partition_name AND p.dropped_at IS NULL;
  IF NOT FOUND THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('audit.%I has not been exported', partition_name);
  END IF;
  IF audit.hold_on(exported.covers) IS NOT NULL THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('audit.%I is %s', partition_name, audit.hold_on(exported.covers));
  END IF;
  FOR page IN SELECT * FROM audit.next_rows(partition_name, last_tenant, last_at, last_id, most)
  LOOP
    PERFORM ledger.note_pruned(page.tenant, page.ids, page.times);
    last_tenant := page.tenant;
    last_at := page.times[cardinality(page.times)];
    last_id := page.ids[cardinality(page.ids)];
  END LOOP;
  IF page IS NULL THEN
    last_tenant := NULL;
  END IF;
END
$function$;

-- Returns ids and times of the next rows of a partition that is open, at most so many, a row a tenant; without a
-- place, the first ones. audit.examine_partition and audit.mark_pruned call it.
CREATE OR REPLACE FUNCTION audit.next_rows(partition_name text, after_tenant uuid, after_time timestamp with time zone, after_id uuid, most integer)
 RETURNS TABLE(tenant uuid, ids uuid[], times timestamp with time zone[])
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT n.tenant_id, array_agg(n.audit_event_id ORDER BY n.created_at, n.audit_event_id),
            array_agg(n.created_at ORDER BY n.created_at, n.audit_event_id)
       FROM (SELECT e.tenant_id, e.audit_event_id, e.created_at FROM audit.%I e
              WHERE $1 IS NULL OR (e.tenant_id, e.created_at, e.audit_event_id) > ($1, $2, $3)
              ORDER BY e.tenant_id, e.created_at, e.audit_event_id LIMIT $4) AS n
      GROUP BY n.tenant_id ORDER BY n.tenant_id', partition_name)
    USING after_tenant, after_time, after_id, most;
END
$function$;

-- Lets the owner of the trail read every row of a partition that is pruned, by the partition's own name, which nobody
-- else uses. npm run db -- prune and audit.drop_partition call it.
CREATE OR REPLACE FUNCTION audit.open_partition(partition_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
                  WHERE c.relnamespace = 'audit'::regnamespace AND c.relname = partition_name AND p.polname = 'pruning') THEN
    EXECUTE format('CREATE POLICY pruning ON audit.%I FOR SELECT TO plat_audit_owner USING (true)', partition_name);
  END IF;
END
$function$;

-- Returns the partitions of the trail, oldest first, with the time that each covers and its state: attached,
-- detaching or detached, the last two if a prune was interrupted. A partition that was never written has no rows.
-- audit.prunable_partitions and audit.drop_partition ask it.
CREATE OR REPLACE FUNCTION audit.partitions()
 RETURNS TABLE(partition text, covers tstzrange, state text, written boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
  WITH attached AS (
    SELECT c.oid, c.relname::text AS name, i.inhdetachpending AS pending,
           regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((.*)\) TO \(''(.*)''\)') AS bounds
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'audit.audit_events'::regclass),
  bounded AS (
    SELECT a.oid, a.name, CASE WHEN a.pending THEN 'detaching' ELSE 'attached' END AS state,
           tstzrange(CASE WHEN a.bounds[1] <> 'MINVALUE' THEN btrim(a.bounds[1], '''')::timestamptz END,
                     a.bounds[2]::timestamptz) AS covers
      FROM attached a
    UNION ALL
    -- A detached partition has no bounds; its name has the month. The one of all time before ends where the rest begins.
    SELECT c.oid, c.relname::text, 'detached',
           CASE WHEN c.relname = 'audit_events_early'
             THEN coalesce((SELECT p.covers FROM audit.pruned_partitions p
                             WHERE p.partition = c.relname AND p.dropped_at IS NULL),
                           tstzrange(NULL, (SELECT min(btrim(a.bounds[1], '''')::timestamptz) FROM attached a
                                             WHERE a.bounds[1] <> 'MINVALUE')))
             ELSE tstzrange(to_date(right(c.relname, 7), 'YYYY_MM')::timestamp AT TIME ZONE 'UTC',
                            (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC') END
      FROM pg_class c
     WHERE c.relnamespace = 'audit'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
       AND c.relname ~ '^audit_events_([0-9]{4}_[0-9]{2}|early)$')
  SELECT b.name, b.covers, b.state, pg_relation_size(b.oid) > 0 FROM bounded b ORDER BY upper(b.covers)
$function$;

-- Returns until when audit.audit_events has a partition for each month. The audit service calls it for the gauge
-- plat_partitions_months_ahead.
CREATE OR REPLACE FUNCTION audit.partitions_until()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT tenancy.partitions_until('audit.audit_events') $function$;

-- Returns the partitions of the trail that end at a moment or before it, oldest first, with the name that the export
-- of each has, and with the obstacle to pruning it: a hold on its rows, or that an older partition is kept; NULL if
-- it may go. Refuses a moment within the last day with invalid_parameter_value. npm run db -- prune calls it.
CREATE OR REPLACE FUNCTION audit.prunable_partitions(before timestamp with time zone)
 RETURNS TABLE(partition text, covers tstzrange, state text, written boolean, export text, obstacle text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  -- A transaction may still be writing rows of the last hours.
  IF before > now() - interval '1 day' THEN
    RAISE invalid_parameter_value USING MESSAGE = 'rows of the trail are kept for a day at least';
  END IF;
  RETURN QUERY
    WITH past AS (
      SELECT p.*, CASE WHEN p.written THEN audit.hold_on(p.covers) END AS held
        FROM audit.partitions() p WHERE upper(p.covers) <= before)
    SELECT o.partition, o.covers, o.state, o.written,
           coalesce(
             (SELECT l.export FROM audit.pruned_partitions l WHERE l.partition = o.partition AND l.dropped_at IS NULL),
             n.name || coalesce((SELECT '_' || count(*) + 1 FROM audit.pruned_partitions l
                                  WHERE l.dropped_at IS NOT NULL AND (l.export = n.name OR l.export LIKE n.name || '\_%')
                                 HAVING count(*) > 0), '')),
           coalesce(o.held, CASE WHEN bool_or(o.held IS NOT NULL) OVER (ORDER BY upper(o.covers))
                              THEN 'a partition before it is kept' END)
      FROM past o
     CROSS JOIN LATERAL (
       SELECT CASE WHEN o.partition = 'audit_events_early'
                THEN 'audit_events_before' || to_char(upper(o.covers) AT TIME ZONE 'UTC', '_YYYY_MM')
                ELSE o.partition END AS name) AS n
     ORDER BY upper(o.covers);
END
$function$;

-- Writes rows for tenants and users that are merely named. It serves only a release from before 0023;
-- tenancy.end_transition takes it from the logins.
CREATE OR REPLACE FUNCTION audit.record(rows jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
    external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, api_parameters, created_at)
  SELECT r."tenantId", r."auditEventId", r."requestId", r."erunUserId", r."externalUserId", r."externalIssuerId",
         r."externalOrgId", r.type, r."apiMethod", r."apiPath", r."mcpTool", r."apiParameters", clock_timestamp()
    FROM jsonb_to_recordset(rows) AS r("tenantId" uuid, "auditEventId" uuid, "requestId" text, "erunUserId" uuid,
         "externalUserId" text, "externalIssuerId" text, "externalOrgId" text, type text, "apiMethod" text,
         "apiPath" text, "mcpTool" text, "apiParameters" jsonb)
$function$;

-- Records what the verified export of a partition holds; audit.drop_partition holds the rows against it. It may be
-- called again until the partition is dropped. npm run db -- prune calls it.
CREATE OR REPLACE FUNCTION audit.record_export(partition_name text, export_name text, stretch tstzrange, row_count bigint, rows_digest numeric, lines_sha256 text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO audit.pruned_partitions AS p (export, partition, covers, rows, digest, sha256)
  VALUES (export_name, partition_name, stretch, row_count, rows_digest, lines_sha256)
  ON CONFLICT (partition) WHERE dropped_at IS NULL
  DO UPDATE SET rows = excluded.rows, digest = excluded.digest, sha256 = excluded.sha256, exported_at = clock_timestamp()
$function$;

-- Writes the rows of the requests that wait at this moment: a JSON array in the fields of AuditRow (libs/service).
-- Tenant and user of each row are those of its proof. Raises insufficient_privilege, and writes none, if one proof
-- does not hold or is of another caller. Every service calls it.
CREATE OR REPLACE FUNCTION audit.record_requests(rows jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, caller_request_id, erun_user_id,
    external_user_id, external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, api_parameters, created_at)
  SELECT c.tenant_id, r."auditEventId", r."requestId", r."callerRequestId", c.user_id, r."externalUserId",
         r."externalIssuerId", r."externalOrgId", r.type, r."apiMethod", r."apiPath", r."mcpTool", r."apiParameters",
         clock_timestamp()
    FROM jsonb_to_recordset(rows) AS r(proof text, "auditEventId" uuid, "requestId" text, "callerRequestId" text,
         "externalUserId" text, "externalIssuerId" text, "externalOrgId" text, type text, "apiMethod" text,
         "apiPath" text, "mcpTool" text, "apiParameters" jsonb)
   CROSS JOIN LATERAL identity.caller_of(r.proof, r."externalIssuerId", r."externalUserId", r."externalOrgId") c
$function$;

GRANT SELECT (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, cli_command, created_at, caller_request_id, written_in) ON audit.audit_events TO plat_inspector;
GRANT SELECT (tenant_id, audit_event_id, erun_user_id, external_user_id, external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, cli_command, created_at) ON audit.audit_events TO plat_ledger_owner;
GRANT SELECT, UPDATE (external_user_id, api_parameters, mcp_tool_parameters, cli_parameters, caller_request_id) ON audit.audit_events TO plat_ledger_sealer;
GRANT SELECT ON audit.pruned_partitions TO plat_inspector;
GRANT EXECUTE ON FUNCTION audit.list_events(uuid,timestamp with time zone,timestamp with time zone,uuid,text,text,text,timestamp with time zone,uuid,integer) TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.make_partitions() TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.partitions_until() TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_builds;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_platform;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_releases;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_reviews;
