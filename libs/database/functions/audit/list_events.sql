CREATE OR REPLACE FUNCTION audit.list_events(tenant uuid, earliest timestamptz, latest timestamptz, usr uuid, kind text,
  method text, path text, after_time timestamptz, after_id uuid, page int)
RETURNS TABLE (tenant_id uuid, audit_event_id uuid, erun_user_id uuid, external_user_id text, external_issuer_id text,
  external_org_id text, type text, api_method text, api_path text, mcp_tool text, cli_command text,
  created_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;
COMMENT ON FUNCTION audit.list_events IS
  'Returns one page of the visible trail, newest first, after the given place, without the arguments of requests; a '
  'NULL filter selects all. The audit service calls it for GET /v1/audit-events.';
REVOKE ALL ON FUNCTION audit.list_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit.list_events TO plat_audit;
