CREATE OR REPLACE FUNCTION ledger.disclosed(x ledger.entries) RETURNS TABLE(fields text)
LANGUAGE sql STABLE
AS $$
  SELECT CASE
    WHEN (x).open_salt IS NULL THEN NULL
    WHEN (x).kind = 'audit' THEN (
      SELECT ledger.audit_fields(e.tenant_id, e.audit_event_id, e.erun_user_id, e.external_user_id, e.external_issuer_id,
               e.external_org_id, e.type, e.api_method, e.api_path, e.mcp_tool, e.cli_command, e.created_at)
        FROM audit.audit_events e
       WHERE e.tenant_id = (x).tenant_id AND e.created_at = (x).at AND e.audit_event_id = (x).id)
    WHEN (x).kind = 'landing' THEN (
      SELECT l.statement FROM reviews.merge_statements((x).tenant_id) l WHERE l.review_id = (x).id AND l.part = (x).part)
    WHEN (x).kind = 'key' THEN ledger.key_fields((x).public_key)
    ELSE (
      SELECT ledger.erasure_fields(r.entries, r.reason) FROM ledger.erasures r
       WHERE r.tenant_id = (x).tenant_id AND r.erasure_id = (x).id)
  END
  -- This has the fields computed once, not at each place that names them.
  OFFSET 0
$$;
COMMENT ON FUNCTION ledger.disclosed IS
  'Returns the fields that an entry commits to and that callers may see, as canonical JSON; NULL if they were erased '
  'or are gone. The functions that read entries call it.';
REVOKE ALL ON FUNCTION ledger.disclosed FROM PUBLIC;
