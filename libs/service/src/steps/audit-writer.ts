import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '@plat/contracts/core';
import type { Database } from '@plat/database';
import { isTracing } from '@plat/telemetry';

/** One audit row, in the fields of the contract. Its tenant and user come from the proof. Spec: API, Audit event. */
export interface AuditRow {
  proof: string;
  auditEventId: string;
  /** The id that the service gave the request, unique among rows. */
  requestId: string;
  /** The caller's id for the request, which need not be unique. */
  callerRequestId?: string;
  externalUserId: string;
  externalIssuerId: string;
  externalOrgId?: string;
  type: 'API' | 'MCP';
  /** Set in rows of every type, so that a header hides no action. Rule D4. */
  apiMethod: string;
  apiPath: string;
  mcpTool?: string;
  apiParameters?: Record<string, unknown>;
}

interface Waiting {
  row: AuditRow;
  done(): void;
  failed(cause: unknown): void;
  /** Runs work in the trace of the row's request. */
  within<T>(work: () => T): T;
}

/** A proof begins with its tenant's id, which has this many characters. */
const ID_LENGTH = 36;
/** Most rows of one statement, since a stall of the database piles rows up. */
const BATCH_ROWS_MAX = 500;

/**
 * Writes audit rows in groups: while one statement commits, the rows of arriving requests wait for the next statement.
 * It has a connection of its own, so that it never waits for the requests whose rows it writes.
 */
export class AuditWriter {
  private readonly waiting: Waiting[] = [];
  private writing = false;
  private written = 0;

  constructor(private readonly database: Database) {}

  /** The number of rows that wait for their statement. */
  get rowsWaiting(): number {
    return this.waiting.length;
  }

  /** The number of rows that have become durable. */
  get rowsWritten(): number {
    return this.written;
  }

  /** Checks that the trail can be written. @throws Error if it cannot within a deadline */
  ping(): Promise<void> {
    return this.database.ping();
  }

  /**
   * Resolves once the row is durable.
   *
   * @throws UNAUTHENTICATED, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED, TENANT_MOVING, TENANT_MOVED
   *   if the caller is not admitted at this moment; SERVICE_UNAVAILABLE if the row cannot be written
   */
  record(row: AuditRow): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({
        row,
        within: isTracing() ? AsyncLocalStorage.snapshot() : (work) => work(),
        done: resolve,
        failed: (cause) =>
          reject(isAdmission(cause) ? cause : new ApiError('SERVICE_UNAVAILABLE', { cause })),
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
      // A row that the database refuses must not fail the other rows of its batch.
      if (batch.length > 1 && isRefusal(cause)) {
        for (const half of halves(batch)) await this.writeBatch(half);
      } else {
        for (const { failed } of batch) failed(cause);
      }
    }
  }

  private async insert(batch: Waiting[]): Promise<void> {
    const rows = JSON.stringify(batch.map(({ row }) => row));
    const statement = { name: 'audit_record', text: 'SELECT audit.record_requests($1)', values: [rows] };
    // A batch is in one trace, that of its first request.
    await batch[0]!.within(() => this.database.run(statement));
    this.written += batch.length;
  }
}

/**
 * Splits a batch of which a row was refused. Of many rows all but the refused ones are then written by few statements, since
 * one caller who is not admitted any more, and goes on asking, must not have each row of the others committed alone. Rows of a
 * tenant stay together, because those that are refused are mostly of one.
 */
function halves(batch: Waiting[]): Waiting[][] {
  const tenantOf = ({ row }: Waiting) => row.proof.slice(0, ID_LENGTH);
  const rows = [...batch].sort((one, other) =>
    tenantOf(one) < tenantOf(other) ? -1 : +(tenantOf(one) > tenantOf(other)),
  );
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)];
}

/**
 * Whether the database refused the rows themselves: a data or integrity error (22, 23), an invalid proof, or a caller who
 * is not admitted.
 */
function isRefusal(cause: unknown): boolean {
  const code = (cause as { code?: unknown }).code;
  return isAdmission(cause) || (typeof code === 'string' && /^(2[23]...|42501)$/.test(code));
}

/** Whether the caller of a row is not admitted. A database that does not answer is SERVICE_UNAVAILABLE, for all rows. */
const isAdmission = (cause: unknown): cause is ApiError =>
  cause instanceof ApiError && cause.code !== 'SERVICE_UNAVAILABLE';
