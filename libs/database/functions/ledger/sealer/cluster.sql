CREATE OR REPLACE FUNCTION ledger.cluster() RETURNS bigint
LANGUAGE sql STABLE
RETURN (SELECT c.system_identifier FROM pg_control_system() c);
COMMENT ON FUNCTION ledger.cluster IS
  'Returns which PostgreSQL cluster this is. Numbers of transactions mean something within one only. What seals '
  'calls it.';
REVOKE ALL ON FUNCTION ledger.cluster FROM PUBLIC;
