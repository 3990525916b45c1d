CREATE OR REPLACE FUNCTION audit.line_digest(line text) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || left(encode(sha256(convert_to(line, 'UTF8')), 'hex'), 16))::bit(64)::bigint::numeric;
COMMENT ON FUNCTION audit.line_digest IS
  'Returns the first eight bytes of the SHA-256 of a line as a signed number. Their sum distinguishes two sets of '
  'rows in any order. audit.drop_partition and the check of an export sum it.';
REVOKE ALL ON FUNCTION audit.line_digest FROM PUBLIC;
