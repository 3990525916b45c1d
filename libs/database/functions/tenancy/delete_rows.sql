CREATE OR REPLACE FUNCTION tenancy.delete_rows(target regclass, tenant uuid, most int, condition text DEFAULT 'true') RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
  -- The tenant is the first column of each key, and ids rise with time: replies go before what they reply to.
  key     text := (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY k.place)
                     FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
                     JOIN pg_attribute a ON a.attnum = k.attnum AND a.attrelid = target
                    WHERE i.indrelid = target AND i.indisprimary AND a.attrelid = i.indrelid);
  newest  text := (SELECT string_agg(part || ' DESC', ', ') FROM unnest(string_to_array(key, ', ')) AS part);
  deleted bigint;
BEGIN
  EXECUTE format('DELETE FROM %1$s WHERE tenant_id = $1 AND (%2$s) IN (
                    SELECT %2$s FROM %1$s WHERE tenant_id = $1 AND (%3$s) ORDER BY %4$s LIMIT $2)',
                 target, key, condition, newest) USING tenant, most;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END
$$;
COMMENT ON FUNCTION tenancy.delete_rows IS
  'Deletes the newest rows of a tenant from a table, at most the given number, and returns how many. It runs with the '
  'rights of its caller, who must own the table and have entered the tenant. npm run db -- delete-tenant calls it.';
REVOKE ALL ON FUNCTION tenancy.delete_rows FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.delete_rows TO plat_audit_owner, plat_builds_owner, plat_environments_owner,
  plat_identity_owner, plat_ledger_owner, plat_releases_owner, plat_reviews_owner;
