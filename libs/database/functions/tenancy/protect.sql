CREATE OR REPLACE PROCEDURE tenancy.protect(target regclass)
LANGUAGE plpgsql
AS $$
DECLARE
  owner_role name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = target);
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY tenant ON %s USING (tenant_id = (SELECT tenancy.tenant_id()))
                  WITH CHECK (tenant_id = (SELECT tenancy.tenant_id()))', target);
  EXECUTE format('CREATE POLICY operations_published ON %s FOR SELECT TO %I USING ((SELECT tenancy.across()))',
                 target, owner_role);
  EXECUTE format('CREATE POLICY inspection ON %s FOR SELECT TO plat_inspector USING (true)', target);
  EXECUTE format('GRANT SELECT ON %s TO plat_inspector', target);
END
$$;
COMMENT ON PROCEDURE tenancy.protect IS
  'Puts a table with a tenant_id under forced row-level security: rows of the entered tenant, reads across tenants '
  'for its owner, and reads of all rows for plat_inspector. Migrations call it for each new table of tenants.';
REVOKE ALL ON PROCEDURE tenancy.protect FROM PUBLIC;
