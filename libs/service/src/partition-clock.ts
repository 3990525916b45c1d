import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ServiceContext } from './service-context';

const DAY_MS = 24 * 60 * 60_000;
const RETRY_MS = 60_000;

/** A schema of which a table is partitioned by month. */
export type PartitionedSchema = 'audit' | 'builds';

/**
 * Makes the monthly partitions of the coming year, at the start and each day, and each minute after a failure. Any number
 * of these may run; the database lets one work at a time.
 */
@Injectable()
export class PartitionClock implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;
  private stopped = false;

  /** @param owner the schema whose table is partitioned */
  constructor(
    private readonly context: Pick<ServiceContext, 'database' | 'log'>,
    private readonly owner: PartitionedSchema,
  ) {}

  onApplicationBootstrap(): void {
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

  private async work(): Promise<void> {
    const made = await this.makePartitions().catch((error: unknown) => {
      if (!this.stopped) this.context.log.error({ err: error }, 'partitions could not be made');
      return false;
    });
    if (this.stopped) return;
    this.timer = setTimeout(() => (this.working = this.work()), made ? DAY_MS : RETRY_MS).unref();
  }
}
