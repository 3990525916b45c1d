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
COMMENT ON FUNCTION audit.record_requests IS
  'Writes the rows of the requests that wait at this moment: a JSON array in the fields of AuditRow (libs/service). '
  'Tenant and user of each row are those of its proof. Raises insufficient_privilege, and writes none, if one proof '
  'does not hold or is of another caller. Every service calls it.';
REVOKE ALL ON FUNCTION audit.record_requests FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit.record_requests TO plat_audit, plat_builds, plat_platform, plat_releases,
  plat_reviews;
