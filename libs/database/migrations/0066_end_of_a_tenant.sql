-- The rows of a tenant that is ending may be deleted, those of any other tenant never.
-- Guarantees: the triggers that refuse a deletion let a row go only while identity.closed_tenants has its tenant as
-- ending, which the database job alone writes. A build may outlive its review until the transaction ends, no longer: a
-- review and its builds name each other, and no order of deleting them holds at each statement.
-- On a live database: two functions are replaced; a constraint becomes deferrable and stays immediate, which locks the
-- table of builds against writers for a moment. The release before is not concerned.

SET ROLE plat_identity_owner;

CREATE FUNCTION identity.is_ending(tenant uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = tenant AND c.reason = 'ending') $$;
COMMENT ON FUNCTION identity.is_ending IS
  'Returns whether the rows of the tenant are being deleted. reviews.refuse_change asks it.';
REVOKE ALL ON FUNCTION identity.is_ending(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.is_ending(uuid) TO plat_reviews_owner;

RESET ROLE;
SET ROLE plat_reviews_owner;

CREATE OR REPLACE FUNCTION reviews.refuse_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP = 'DELETE' AND identity.is_ending(OLD.tenant_id) THEN
    RETURN OLD;
  END IF;
  PERFORM reviews.expect(false, format('%s of %I.%I is not done', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME));
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION reviews.refuse_change IS
  'Trigger: refuses a change or a deletion, except the deletion of a row of a tenant that is ending.';

RESET ROLE;
SET ROLE plat_builds_owner;

ALTER TABLE builds.builds ALTER CONSTRAINT builds_tenant_id_review_id_fkey DEFERRABLE INITIALLY IMMEDIATE;

RESET ROLE;

CREATE FUNCTION tenancy.delete_rows(target regclass, tenant uuid, most int, condition text DEFAULT 'true') RETURNS bigint
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
  'Deletes the newest rows of a tenant from a table, at most so many, and returns how many. It runs with the rights of its '
  'caller, who must own the table and have entered the tenant. npm run db -- delete-tenant calls it.';
REVOKE ALL ON FUNCTION tenancy.delete_rows(regclass, uuid, int, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.delete_rows(regclass, uuid, int, text)
   TO plat_identity_owner, plat_reviews_owner, plat_builds_owner, plat_releases_owner, plat_audit_owner,
      plat_environments_owner;
