CREATE OR REPLACE FUNCTION reviews.instant(at timestamp with time zone) RETURNS text
LANGUAGE sql STABLE
RETURN (to_json(at AT TIME ZONE INTERVAL '0') #>> '{}') || 'Z';
COMMENT ON FUNCTION reviews.instant IS
  'Returns a time as the answers of the API show it: RFC 3339 in UTC, to the microsecond.';
REVOKE ALL ON FUNCTION reviews.instant FROM PUBLIC;
