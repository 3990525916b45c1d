CREATE OR REPLACE FUNCTION tenancy.user_id() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN identity.entered_user();
COMMENT ON FUNCTION tenancy.user_id IS
  'Returns the user for whom the transaction acts, or NULL. Functions that record an author ask it, so that no caller '
  'names one.';
GRANT EXECUTE ON FUNCTION tenancy.user_id TO PUBLIC;
