import type { PartitionedSchema } from './partition-clock';
import type { ServiceContext } from './service-context';
import { sharedReader } from './shared-figures';

/** The months without a gap from the next one on; a partition's name ends with its month. */
const monthsAhead = (schema: PartitionedSchema): string => `
  SELECT parent.relname::text AS "table", (
           SELECT coalesce(min(month) - 1, 24) FROM generate_series(1, 24) AS month
            WHERE NOT EXISTS (
              SELECT FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class part ON part.oid = i.inhrelid
               WHERE i.inhparent = parent.oid AND right(part.relname, 8) = to_char(
                 date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => month), '_YYYY_MM'))) AS ahead
    FROM pg_catalog.pg_class parent
   WHERE parent.relkind = 'p' AND parent.relnamespace = pg_catalog.to_regnamespace('${schema}')`;

/** Lets `/metrics` show for how many months after this one a schema's tables have partitions. */
export class PartitionFigures {
  constructor(context: ServiceContext, schema: PartitionedSchema) {
    const read = sharedReader<{ table: string; ahead: number }>(context, {
      name: `partitions_ahead_${schema}`,
      text: monthsAhead(schema),
    });
    // Two services may share a process, where a metric is registered once.
    context.partitions = async () =>
      (await read()).map(({ table, ahead }) => ({ labels: { table: `${schema}.${table}` }, value: ahead }));
  }
}
