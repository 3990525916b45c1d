CREATE OR REPLACE FUNCTION ledger.audit_fields(tenant uuid, event uuid, usr uuid, subject text, issuer text, org text, type text,
  method text, path text, tool text, command text, at timestamptz) RETURNS text
LANGUAGE sql STABLE
RETURN '{' || concat_ws(',',
  '"apiMethod":' || to_json(CASE WHEN type <> 'MCP' THEN method END)::text,
  '"apiPath":' || to_json(CASE WHEN type <> 'MCP' THEN path END)::text,
  '"auditEventId":"' || event || '"',
  '"cliCommand":' || to_json(command)::text,
  '"createdAt":"' || tenancy.shown_instant(at) || '"',
  '"erunUserId":"' || usr || '"',
  '"externalIssuerId":' || to_json(issuer)::text,
  '"externalOrgId":' || to_json(org)::text,
  '"externalUserId":' || to_json(subject)::text,
  '"mcpTool":' || to_json(tool)::text,
  '"tenantId":"' || tenant || '"',
  '"type":"' || type || '"') || '}';
COMMENT ON FUNCTION ledger.audit_fields IS
  'Returns the fields of a row of the trail that GET /v1/audit-events shows, as canonical JSON. The functions that '
  'seal and that read entries call it.';
REVOKE ALL ON FUNCTION ledger.audit_fields FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.audit_fields TO plat_ledger_sealer;
