CREATE OR REPLACE FUNCTION reviews.milliseconds(at timestamp with time zone) RETURNS double precision
LANGUAGE sql IMMUTABLE
RETURN extract(epoch FROM at)::double precision * 1000;
COMMENT ON FUNCTION reviews.milliseconds IS
  'Returns a time as milliseconds since the epoch.';
REVOKE ALL ON FUNCTION reviews.milliseconds FROM PUBLIC;
