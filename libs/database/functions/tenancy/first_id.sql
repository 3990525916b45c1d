CREATE OR REPLACE FUNCTION tenancy.first_id(moment timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '70000000000000000000')::uuid;
COMMENT ON FUNCTION tenancy.first_id IS
  'Returns the least UUIDv7 of a moment. In a table that is partitioned by id, a partition begins there. '
  'tenancy.make_partitions calls it.';
GRANT EXECUTE ON FUNCTION tenancy.first_id TO PUBLIC;
