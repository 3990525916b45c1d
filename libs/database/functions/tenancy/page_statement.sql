CREATE OR REPLACE FUNCTION tenancy.page_statement(selected text, conditions text, newest_first text, size text) RETURNS text
LANGUAGE sql STABLE
RETURN format(
  CASE WHEN tenancy.across() THEN
    'SELECT e.* FROM unnest(identity.readable_tenants($1)) AS t (tenant_id)
      CROSS JOIN LATERAL (%1$s WHERE e.tenant_id = t.tenant_id%2$s ORDER BY %3$s LIMIT %4$s) AS e
      ORDER BY %3$s LIMIT %4$s'
  ELSE '%1$s WHERE e.tenant_id = $1%2$s ORDER BY %3$s LIMIT %4$s' END,
  selected, conditions, newest_first, size);
COMMENT ON FUNCTION tenancy.page_statement IS
  'Returns the text of a statement that reads one page in the order newest_first, which may be any order. The page is '
  'of the tenant $1; in a transaction that reads across tenants it is of the first rows of each tenant. The selection '
  'and the conditions name the table e; size is the parameter that bounds the page. The listings of all schemas '
  'execute it.';
GRANT EXECUTE ON FUNCTION tenancy.page_statement TO PUBLIC;
