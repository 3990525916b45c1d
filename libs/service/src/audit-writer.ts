import { ApiError } from '@plat/contracts/core';
import type { Database } from '@plat/database';

/** One audit row, in the fields of the contract: tenant and user are the proof's. Spec: API, Audit event. */
export interface AuditRow {
  proof: string;
  auditEventId: string;
  /** The service's own, and no other row's. */
  requestId: string;
  /** What the caller named the request, which need not be unique. */
  callerRequestId?: string;
  externalUserId: string;
  externalIssuerId: string;
  externalOrgId?: string;
  type: 'API' | 'MCP';
  /** With every row, whichever its type: a header hides no action. Decision D4. */
  apiMethod: string;
  apiPath: string;
  mcpTool?: string;
  apiParameters?: Record<string, unknown>;
}

interface Waiting {
  row: AuditRow;
  done(): void;
  failed(cause: unknown): void;
}

/** Most rows of one statement: a bound on what a stall of the database can pile up into one batch. */
const BATCH_ROWS_MAX = 500;

/**
 * Writes audit rows in groups: while one statement commits, the rows of the requests that arrive wait for the next.
 * It has a connection of its own, so that the trail never waits for the requests it precedes.
 */
export class AuditWriter {
  private waiting: Waiting[] = [];
  private writing = false;

  constructor(private readonly database: Database) {}

  /** Rows that wait for the statement that writes them. */
  get rowsWaiting(): number {
    return this.waiting.length;
  }

  /** Whether the trail can be written to. @throws Error when it cannot, within a deadline */
  ping(): Promise<void> {
    return this.database.ping();
  }

  /** Resolves once the row is durable. @throws SERVICE_UNAVAILABLE when it cannot be written */
  record(row: AuditRow): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({
        row,
        done: resolve,
        failed: (cause) => reject(new ApiError('SERVICE_UNAVAILABLE', { cause })),
      });
      if (!this.writing) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) await this.writeBatch(this.waiting.splice(0, BATCH_ROWS_MAX));
    this.writing = false;
  }

  private async writeBatch(batch: Waiting[]): Promise<void> {
    try {
      await this.insert(batch);
      for (const { done } of batch) done();
    } catch (cause) {
      // One row that the database refuses must not take its neighbours with it.
      if (batch.length > 1 && isRefusal(cause)) {
        for (const single of batch) await this.writeBatch([single]);
      } else {
        for (const { failed } of batch) failed(cause);
      }
    }
  }

  private async insert(batch: Waiting[]): Promise<void> {
    const rows = JSON.stringify(batch.map(({ row }) => row));
    await this.database.run({
      name: 'audit_record',
      text: 'SELECT audit.record_requests($1)',
      values: [rows],
    });
  }
}

/** Whether the database judged the rows themselves: a data or integrity error (22, 23), or a proof that does not hold. */
function isRefusal(cause: unknown): boolean {
  const code = (cause as { code?: unknown }).code;
  return typeof code === 'string' && /^(2[23]...|42501)$/.test(code);
}
