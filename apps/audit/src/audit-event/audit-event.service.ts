import { Injectable } from '@nestjs/common';
import type { AuditEventPage, AuditEventQuery } from '@plat/contracts/audit';
import { cutPage, decodeCursor, pageSize, parseInstant } from '@plat/contracts/core';
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
    const size = pageSize(limit === undefined ? undefined : Number(limit));
    const [earliest, latest] = [since, until].map((text) => text && parseInstant(text));
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const found = await listAuditEvents(this.database, caller, {
      ...filters,
      ...(earliest && { since: earliest }),
      ...(latest && { until: latest }),
      ...(after && { after }),
      rows: size + 1,
    });
    const { rows, nextCursor } = cutPage(found, size, (row) => ({
      createdAt: row.created_at,
      id: row.audit_event_id,
    }));
    return { events: rows.map(toAuditEvent), ...(nextCursor !== undefined && { nextCursor }) };
  }
}
