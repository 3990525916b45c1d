CREATE OR REPLACE FUNCTION ledger.hidden_audit_fields(e audit.audit_events) RETURNS text
LANGUAGE sql STABLE
RETURN '{' || concat_ws(',',
  '"apiMethod":' || to_json(CASE WHEN (e).type = 'MCP' THEN (e).api_method END)::text,
  '"apiParameters":' || to_json((e).api_parameters::text)::text,
  '"apiPath":' || to_json(CASE WHEN (e).type = 'MCP' THEN (e).api_path END)::text,
  '"callerRequestId":' || to_json((e).caller_request_id)::text,
  '"cliParameters":' || to_json((e).cli_parameters::text)::text,
  '"mcpToolParameters":' || to_json((e).mcp_tool_parameters::text)::text,
  '"requestId":' || to_json((e).request_id)::text) || '}';
COMMENT ON FUNCTION ledger.hidden_audit_fields IS
  'Returns the fields of a row of the trail that no route shows, as canonical JSON; arguments as the text of their '
  'JSON. The functions that seal, and ledger.altered_entries, call it.';
REVOKE ALL ON FUNCTION ledger.hidden_audit_fields FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.hidden_audit_fields TO plat_ledger_sealer;
