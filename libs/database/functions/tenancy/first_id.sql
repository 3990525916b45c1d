CREATE OR REPLACE FUNCTION tenancy.first_id(moment timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '70000000000000000000')::uuid;
COMMENT ON FUNCTION tenancy.first_id IS
  'Returns the lower bound of the UUIDv7s of a moment, at which a partition of a table begins that is partitioned '
  'by its id. tenancy.make_partitions calls it.';
GRANT EXECUTE ON FUNCTION tenancy.first_id TO PUBLIC;
