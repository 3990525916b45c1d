CREATE OR REPLACE FUNCTION identity.caller_digest(issuer_url text, token_subject text, organization text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN encode(sha256(convert_to(jsonb_build_array(issuer_url, token_subject, organization)::text, 'UTF8')), 'hex');
COMMENT ON FUNCTION identity.caller_digest IS
  'Returns the SHA-256, in hex, of the caller that a token names: issuer, subject and organisation. A proof contains '
  'it.';
REVOKE ALL ON FUNCTION identity.caller_digest FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.caller_digest TO plat_environments_owner;
