CREATE OR REPLACE FUNCTION ledger.open_of(e audit.audit_events, salt bytea) RETURNS bytea
LANGUAGE sql STABLE
RETURN ledger.commitment(salt, ledger.audit_fields((e).tenant_id, (e).audit_event_id, (e).erun_user_id, (e).external_user_id,
  (e).external_issuer_id, (e).external_org_id, (e).type, (e).api_method, (e).api_path, (e).mcp_tool, (e).cli_command,
  (e).created_at));
COMMENT ON FUNCTION ledger.open_of IS
  'Returns the commitment to the fields of a row of the trail that callers see. The functions that seal and that '
  'erase call it.';
REVOKE ALL ON FUNCTION ledger.open_of FROM PUBLIC;
