CREATE OR REPLACE FUNCTION identity.username(tenant uuid, usr uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT u.username FROM identity.users u WHERE u.tenant_id = tenant AND u.user_id = usr $$;
COMMENT ON FUNCTION identity.username IS
  'Returns the name of a user of a visible tenant, or NULL. reviews.page_history calls it.';
REVOKE ALL ON FUNCTION identity.username FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.username TO plat_reviews_owner;
