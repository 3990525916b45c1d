-- Every row of the trail names the method and the route, whoever called: a header that names a tool hides nothing.
-- Guarantees: an API row has both, and no row has one without the other. Decision D4.
-- On a live table: dropping a check and adding one that is not validated yet read no row; the job validates it after the
-- migrations, beside everything that runs. Rows of MCP tools from before, and those that the release before still
-- writes, have neither.

SET ROLE plat_audit_owner;

DO $$
DECLARE
  former name := (SELECT c.conname FROM pg_constraint c
                   WHERE c.conrelid = 'audit.audit_events'::regclass AND c.contype = 'c'
                     AND pg_get_constraintdef(c.oid) LIKE '%''API''%api_method IS NOT NULL%');
BEGIN
  EXECUTE format('ALTER TABLE audit.audit_events DROP CONSTRAINT %I', former);
END
$$;

ALTER TABLE audit.audit_events
  ADD CONSTRAINT audit_events_api CHECK (type <> 'API' OR num_nulls(api_method, api_path) = 0) NOT VALID;
RESET ROLE;
