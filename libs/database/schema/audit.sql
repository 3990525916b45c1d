-- The schema audit after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Partitions are left out.

-- The audit trail. Every service writes it, by audit.record_requests; the audit service reads it.
CREATE SCHEMA audit AUTHORIZATION plat_audit_owner;
GRANT USAGE ON SCHEMA audit TO plat_audit;
GRANT USAGE ON SCHEMA audit TO plat_builds;
GRANT USAGE ON SCHEMA audit TO plat_inspector;
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
  CONSTRAINT audit_events_pkey PRIMARY KEY (tenant_id, created_at, audit_event_id),
  CONSTRAINT audit_events_api CHECK (((type <> 'API'::text) OR (num_nulls(api_method, api_path) = 0))),
  CONSTRAINT audit_events_api_path_check CHECK ((api_path ~ '^/v1/[a-z0-9_/{}-]*$'::text)),
  CONSTRAINT audit_events_caller_request_id CHECK ((caller_request_id ~ '^[A-Za-z0-9._-]{1,64}$'::text)),
  CONSTRAINT audit_events_check1 CHECK (((type = 'MCP'::text) = (mcp_tool IS NOT NULL))),
  CONSTRAINT audit_events_check2 CHECK ((num_nonnulls(api_method, api_path) <> 1)),
  CONSTRAINT audit_events_mcp_tool_check CHECK ((mcp_tool ~ '^[a-z][a-z0-9_-]{0,63}$'::text)),
  CONSTRAINT audit_events_type_check CHECK ((type = ANY (ARRAY['API'::text, 'MCP'::text, 'CLI'::text])))
) PARTITION BY RANGE (created_at);

CREATE INDEX audit_events_api ON ONLY audit.audit_events USING btree (tenant_id, api_method, api_path, created_at, audit_event_id);
CREATE INDEX audit_events_method ON ONLY audit.audit_events USING btree (tenant_id, api_method, created_at, audit_event_id);
CREATE INDEX audit_events_path ON ONLY audit.audit_events USING btree (tenant_id, api_path, created_at, audit_event_id);
CREATE INDEX audit_events_rare_type ON ONLY audit.audit_events USING btree (tenant_id, type, created_at, audit_event_id) WHERE (type <> 'API'::text);
CREATE INDEX audit_events_user ON ONLY audit.audit_events USING btree (tenant_id, erun_user_id, created_at, audit_event_id);

ALTER TABLE audit.audit_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON audit.audit_events FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON audit.audit_events FOR SELECT TO plat_audit_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY recorder ON audit.audit_events FOR INSERT TO plat_audit_owner WITH CHECK (true);
CREATE POLICY tenant ON audit.audit_events USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

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

-- Returns until when audit.audit_events has a partition for each month. The audit service calls it for the gauge
-- plat_partitions_months_ahead.
CREATE OR REPLACE FUNCTION audit.partitions_until()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT tenancy.partitions_until('audit.audit_events') $function$;

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

GRANT SELECT (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, cli_command, created_at, caller_request_id) ON audit.audit_events TO plat_inspector;
GRANT EXECUTE ON FUNCTION audit.list_events(uuid,timestamp with time zone,timestamp with time zone,uuid,text,text,text,timestamp with time zone,uuid,integer) TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.make_partitions() TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.partitions_until() TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_audit;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_builds;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_platform;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_releases;
GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_reviews;
