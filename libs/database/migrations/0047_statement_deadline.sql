-- A statement ends in the database before its service gives it up (12 s, DEADLINES): what was answered as failed does not
-- go on, holds no connection beyond its tenant's share, and is not carried out afterwards.
-- Settings of the logins, for connections made from now on; a deployment whose owner may not alter them keeps its own.

DO $$
DECLARE
  login_role text;
BEGIN
  -- Roles are the cluster's: another database of it may have set them already.
  FOR login_role IN
    SELECT rolname FROM pg_roles
     WHERE rolname IN ('plat_reviews', 'plat_builds', 'plat_releases', 'plat_audit', 'plat_platform')
       AND NOT coalesce('statement_timeout=11s' = ANY (rolconfig), false)
  LOOP
    EXECUTE format('ALTER ROLE %I SET statement_timeout TO %L', login_role, '11s');
  END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'set statement_timeout of the logins to 11s as a role that may';
END
$$;
