CREATE OR REPLACE FUNCTION identity.seal(key bytea, content text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN encode(sha256(key || sha256(key || convert_to(content, 'UTF8'))), 'hex');
COMMENT ON FUNCTION identity.seal IS
  'Returns the seal of a text under a key: nested SHA-256 (HMAC''s form), in hex.';
REVOKE ALL ON FUNCTION identity.seal FROM PUBLIC;
