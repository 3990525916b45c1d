CREATE OR REPLACE FUNCTION tenancy.refuse(code text, details jsonb DEFAULT NULL, message text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'PL001', MESSAGE = code,
    DETAIL = coalesce(details::text, ''), HINT = coalesce(message, '');
END
$$;
COMMENT ON FUNCTION tenancy.refuse IS
  'Raises SQLSTATE PL001 with a code of the error registry as its message, so that the request is answered with '
  'that code. The details become the details of the answer; the message, if given, replaces the text of the '
  'registry.';
GRANT EXECUTE ON FUNCTION tenancy.refuse TO PUBLIC;
