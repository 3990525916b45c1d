CREATE OR REPLACE FUNCTION reviews.durations(seconds double precision[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE
RETURN (
  SELECT jsonb_strip_nulls(jsonb_build_object('basis', count(*), 'meanSeconds', round(avg(s)::numeric, 3),
           'p50Seconds', round(percentile_cont(0.5) WITHIN GROUP (ORDER BY s)::numeric, 3),
           'p95Seconds', round(percentile_cont(0.95) WITHIN GROUP (ORDER BY s)::numeric, 3)))
    FROM unnest(seconds) AS s);
COMMENT ON FUNCTION reviews.durations IS
  'Returns number, mean, median and 95th percentile of durations, to the millisecond, as the answers of the API show '
  'them.';
REVOKE ALL ON FUNCTION reviews.durations FROM PUBLIC;
