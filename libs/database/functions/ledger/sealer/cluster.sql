CREATE OR REPLACE FUNCTION ledger.cluster() RETURNS bigint
LANGUAGE sql STABLE
RETURN (SELECT c.system_identifier FROM pg_control_system() c);
COMMENT ON FUNCTION ledger.cluster IS
  'Returns which PostgreSQL cluster this is. Numbers of transactions can be compared only within one cluster. The '
  'functions that seal call it.';
REVOKE ALL ON FUNCTION ledger.cluster FROM PUBLIC;
