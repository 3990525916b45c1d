import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ServiceContext } from './service-context';

const DAY_MS = 24 * 60 * 60_000;
const RETRY_MS = 60_000;
const TABLES = { audit: 'audit.audit_events', builds: 'builds.builds' } as const;

/** A schema of which a table is partitioned by month. */
export type PartitionedSchema = 'audit' | 'builds';

/**
 * Makes the monthly partitions of the coming year, at the start and each day, and each minute after a failure. Any number
 * of these may run; the database lets one work at a time. The gauge `plat_partitions_months_ahead` shows how many months
 * after the present one have a partition: it falls while they cannot be made, and below 0 rows are refused.
 */
@Injectable()
export class PartitionClock implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;
  private stopped = false;
  /** Until when each month has a partition, as the database last said. */
  private until: Date | undefined;

  /** @param owner the schema whose table is partitioned */
  constructor(
    private readonly context: Pick<ServiceContext, 'database' | 'log' | 'partitions'>,
    private readonly owner: PartitionedSchema,
  ) {}

  onApplicationBootstrap(): void {
    // Reckoned at each reading, so that it falls too while the database cannot be asked.
    this.context.partitions = () =>
      this.until === undefined
        ? []
        : [{ labels: { table: TABLES[this.owner] }, value: monthsAhead(this.until, new Date()) }];
    this.working = this.work();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.working;
  }

  /** Makes the missing partitions. @returns whether the partitions of a year exist */
  async makePartitions(): Promise<boolean> {
    const name = `${this.owner}.make_partitions`;
    const rows = await this.context.database.run<{ made: boolean }>({
      name,
      text: `SELECT ${name}() AS made`,
      values: [],
    });
    return rows[0]!.made;
  }

  /** Determines until when each month has a partition. */
  private async lookAhead(): Promise<void> {
    const name = `${this.owner}.partitions_until`;
    const rows = await this.context.database.run<{ until: string }>({
      name,
      text: `SELECT to_char(${name}() AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS until`,
      values: [],
    });
    this.until = new Date(rows[0]!.until);
  }

  private async work(): Promise<void> {
    const report = (error: unknown): false => {
      if (!this.stopped) this.context.log.error({ err: error }, 'partitions could not be made');
      return false;
    };
    const made = await this.makePartitions().catch(report);
    await this.lookAhead().catch(report);
    if (this.stopped) return;
    this.timer = setTimeout(() => (this.working = this.work()), made ? DAY_MS : RETRY_MS).unref();
  }
}

/** Whole months, in UTC, from the end of the present month to `until`. */
export function monthsAhead(until: Date, now: Date): number {
  const months = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth();
  return months(until) - months(now) - 1;
}
