-- What erases the fields of entries.
-- Guarantees: erasing leaves every entry and every proof as it was, and adds an entry that names the erased ones.
-- Functions only; runs in milliseconds.

GRANT CREATE ON SCHEMA ledger TO plat_ledger_sealer;
SET ROLE plat_ledger_sealer;

CREATE FUNCTION ledger.lock_log(tenant uuid) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE;
  IF NOT FOUND THEN
    -- A sealer may be adding it. This waits for those that are at work, and later ones wait until the transaction ends.
    LOCK TABLE ledger.logs IN SHARE MODE;
    PERFORM FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE;
  END IF;
END
$$;
COMMENT ON FUNCTION ledger.lock_log IS
  'Waits for the lock of a tenant''s log, and holds it until the transaction ends, also if there is no log yet. What erases '
  'calls it.';

CREATE FUNCTION ledger.erase_user(tenant uuid, usr uuid) RETURNS bigint
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
  'Erases a user''s subject and arguments from the rows of the trail, and the salts of the entries of these rows, and returns how '
  'many entries that were. The user''s id stays. npm run db -- erase-user calls it.';

CREATE FUNCTION ledger.unsealed_before(moment timestamptz) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(*)
    FROM identity.tenants t
    LEFT JOIN ledger.logs l ON l.tenant_id = t.tenant_id
   -- Where nothing has ever been sealed nothing waits to be.
   WHERE EXISTS (SELECT FROM ledger.logs)
     AND NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = t.tenant_id AND c.reason <> 'disabled')
     AND CASE WHEN l.tenant_id IS NULL
           THEN EXISTS (SELECT FROM audit.audit_events e WHERE e.tenant_id = t.tenant_id AND e.created_at < moment)
           ELSE l.cluster <> (SELECT ledger.cluster()) OR l.rescanned_at < moment
             OR EXISTS (SELECT FROM audit.audit_events e
                         WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below AND e.created_at < moment
                           AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                                              AND x.id = e.audit_event_id AND x.part = 0 OFFSET 0))
         END
$$;
COMMENT ON FUNCTION ledger.unsealed_before IS
  'Returns of how many tenants rows of the trail from before a moment may not be sealed, because they wait or their log is catching '
  'up. npm run db -- prune takes no month from the trail while it is not 0.';

CREATE FUNCTION ledger.examine_pruned(tenant uuid, ids uuid[], times timestamptz[], OUT unsealed int, OUT unmarked int)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(*) FILTER (WHERE x.at IS NULL AND EXISTS (SELECT FROM ledger.logs) AND NOT EXISTS (
           SELECT FROM identity.closed_tenants c WHERE c.tenant_id = tenant AND c.reason <> 'disabled')),
         count(*) FILTER (WHERE x.at = g.at AND x.has_fields)
    FROM unnest(ids, times) AS g (id, at)
    LEFT JOIN LATERAL (
      SELECT n.at, n.open_salt IS NOT NULL AS has_fields FROM ledger.entries n
       WHERE n.tenant_id = tenant AND n.kind = 'audit' AND n.id = g.id AND n.part = 0 OFFSET 0) AS x ON true
$$;
COMMENT ON FUNCTION ledger.examine_pruned IS
  'Returns how many of a tenant''s rows, named by their ids and times, have no entry although they are to have one, and how many '
  'have one whose fields were not erased. audit.examine_partition calls it.';

CREATE FUNCTION ledger.note_pruned(tenant uuid, ids uuid[], times timestamptz[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  erased int8multirange;
BEGIN
  -- The row of the log is not locked: what is sealed already is of no concern to a sealer.
  WITH gone AS (
    UPDATE ledger.entries x SET open_salt = NULL, closed_salt = NULL
      FROM unnest(ids, times) AS g (id, at)
     WHERE x.tenant_id = tenant AND x.kind = 'audit' AND x.id = g.id AND x.part = 0 AND x.at = g.at AND x.open_salt IS NOT NULL
    RETURNING x.leaf_index)
  SELECT range_agg(int8range(g.leaf_index, g.leaf_index + 1)) INTO erased FROM gone g;
  IF erased IS NOT NULL THEN
    INSERT INTO ledger.erasures (tenant_id, erasure_id, reason, entries)
    VALUES (tenant, gen_random_uuid(), 'retention', erased);
  END IF;
END
$$;
COMMENT ON FUNCTION ledger.note_pruned IS
  'Removes the salts of the entries of a tenant''s rows, named by their ids and times, and adds an erasure that names the entries. '
  'An entry whose row is not among them keeps its salt. audit.mark_pruned calls it.';

REVOKE ALL ON FUNCTION ledger.lock_log(uuid), ledger.erase_user(uuid, uuid), ledger.unsealed_before(timestamptz),
  ledger.examine_pruned(uuid, uuid[], timestamptz[]), ledger.note_pruned(uuid, uuid[], timestamptz[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.unsealed_before(timestamptz), ledger.examine_pruned(uuid, uuid[], timestamptz[]),
  ledger.note_pruned(uuid, uuid[], timestamptz[]) TO plat_audit_owner;
RESET ROLE;
REVOKE CREATE ON SCHEMA ledger FROM plat_ledger_sealer;
