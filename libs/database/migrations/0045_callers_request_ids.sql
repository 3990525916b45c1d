-- The id that a caller gives its request (X-Request-Id) is kept beside the service's own: as the row's id it joined the
-- rows of two tenants who gave the same.
-- On a live table: a column without a default and a check that is not validated yet read no row; the job validates it
-- after the migrations. The release before names no such id, and its rows have none.

SET ROLE plat_audit_owner;

ALTER TABLE audit.audit_events ADD COLUMN caller_request_id text;
ALTER TABLE audit.audit_events ADD CONSTRAINT audit_events_caller_request_id
  CHECK (caller_request_id ~ '^[A-Za-z0-9._-]{1,64}$') NOT VALID;
GRANT SELECT (caller_request_id) ON audit.audit_events TO plat_inspector;

-- As before (0023), with the caller's own id.
CREATE OR REPLACE FUNCTION audit.record_requests(rows jsonb) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, caller_request_id, erun_user_id,
    external_user_id, external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, api_parameters, created_at)
  SELECT c.tenant_id, r."auditEventId", r."requestId", r."callerRequestId", c.user_id, r."externalUserId",
         r."externalIssuerId", r."externalOrgId", r.type, r."apiMethod", r."apiPath", r."mcpTool", r."apiParameters",
         clock_timestamp()
    FROM jsonb_to_recordset(rows) AS r(proof text, "auditEventId" uuid, "requestId" text, "callerRequestId" text,
         "externalUserId" text, "externalIssuerId" text, "externalOrgId" text, type text, "apiMethod" text,
         "apiPath" text, "mcpTool" text, "apiParameters" jsonb)
   CROSS JOIN LATERAL identity.caller_of(r.proof, r."externalIssuerId", r."externalUserId", r."externalOrgId") c
$$;
RESET ROLE;
