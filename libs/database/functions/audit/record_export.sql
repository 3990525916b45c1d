CREATE OR REPLACE FUNCTION audit.record_export(partition_name text, export_name text, stretch tstzrange, row_count bigint,
                                    rows_digest numeric, lines_sha256 text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO audit.pruned_partitions AS p (export, partition, covers, rows, digest, sha256)
  VALUES (export_name, partition_name, stretch, row_count, rows_digest, lines_sha256)
  ON CONFLICT (partition) WHERE dropped_at IS NULL
  DO UPDATE SET rows = excluded.rows, digest = excluded.digest, sha256 = excluded.sha256, exported_at = clock_timestamp()
$$;
COMMENT ON FUNCTION audit.record_export IS
  'Records what the verified export of a partition holds; audit.drop_partition compares the rows with it. It may be '
  'called again until the partition is dropped. npm run db -- prune calls it.';
REVOKE ALL ON FUNCTION audit.record_export FROM PUBLIC;
