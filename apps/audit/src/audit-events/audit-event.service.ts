import { Injectable } from '@nestjs/common';
import type { AuditEventPage, AuditEventQuery } from '@plat/contracts/audit';
import { cutPage, readPage } from '@plat/contracts/core';
import { Database } from '@plat/database';
import type { Caller } from '@plat/service';
import { listAuditEvents } from './audit-event.queries';
import { toAuditEvent } from './audit-event.response';

@Injectable()
export class AuditEventService {
  constructor(private readonly database: Database) {}

  /** A page of the trail, newest first. Spec: API, Audit events, rules 1 to 3. */
  async list(
    caller: Caller,
    { since, until, cursor, limit, ...filters }: AuditEventQuery,
  ): Promise<AuditEventPage> {
    const { size, window } = readPage({ since, until, cursor, limit });
    const found = await listAuditEvents(this.database, caller, { ...filters, ...window });
    const { rows, nextCursor } = cutPage(found, size, (row) => ({
      createdAt: row.created_at,
      id: row.audit_event_id,
    }));
    return { events: rows.map(toAuditEvent), nextCursor };
  }
}
