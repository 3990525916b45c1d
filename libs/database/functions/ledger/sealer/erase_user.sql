CREATE OR REPLACE FUNCTION ledger.erase_user(tenant uuid, usr uuid) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  erased int8multirange;
BEGIN
  -- Waits for a sealer, so that no row is sealed as it was while its fields are removed.
  PERFORM ledger.lock_log(tenant);
  UPDATE audit.audit_events e
     SET external_user_id = 'erased', caller_request_id = NULL, api_parameters = NULL, mcp_tool_parameters = NULL,
         cli_parameters = NULL
   WHERE e.tenant_id = tenant AND e.erun_user_id = usr AND e.external_user_id <> 'erased';
  WITH gone AS (
    UPDATE ledger.entries x SET open_salt = NULL, closed_salt = NULL
      FROM audit.audit_events e
     WHERE e.tenant_id = tenant AND e.erun_user_id = usr AND x.tenant_id = e.tenant_id AND x.kind = 'audit'
       AND x.id = e.audit_event_id AND x.part = 0 AND x.open_salt IS NOT NULL
       AND x.open <> ledger.open_of(e, x.open_salt)
    RETURNING x.leaf_index)
  SELECT range_agg(int8range(g.leaf_index, g.leaf_index + 1)) INTO erased FROM gone g;
  IF erased IS NULL THEN
    RETURN 0;
  END IF;
  INSERT INTO ledger.erasures (tenant_id, erasure_id, reason, entries) VALUES (tenant, gen_random_uuid(), 'person', erased);
  RETURN (SELECT sum(upper(r) - lower(r)) FROM unnest(erased) AS r);
END
$$;
COMMENT ON FUNCTION ledger.erase_user IS
  'Erases a user''s subject and arguments from the rows of the trail, and the salts of the entries of these rows, and '
  'returns the number of these entries. The user''s id stays. npm run db -- erase-user calls it.';
REVOKE ALL ON FUNCTION ledger.erase_user FROM PUBLIC;
