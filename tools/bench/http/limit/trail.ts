import type { Pool } from 'pg';

interface Waiting {
  row: Record<string, unknown>;
  done(): void;
  failed(cause: unknown): void;
}

/** Commits audit rows in groups over a separate connection, as the services do. */
export class Trail {
  private readonly waiting: Waiting[] = [];
  private writing = false;

  constructor(private readonly pool: Pool) {}

  /** Resolves once the row is durable. */
  record(row: Record<string, unknown>): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ row, done, failed });
      if (!this.writing) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0);
      const rows = JSON.stringify(batch.map(({ row }) => row));
      try {
        await this.pool.query({
          name: 'audit_record',
          text: 'SELECT audit.record_requests($1)',
          values: [rows],
        });
        for (const { done } of batch) done();
      } catch (cause) {
        for (const { failed } of batch) failed(cause);
      }
    }
    this.writing = false;
  }
}
