import type { AuditEventPage } from '@plat/api-client';
import type { Table } from '../terminal/table';

/** The rows of the trail, one a line. */
export function trailTable({ events }: AuditEventPage, names: ReadonlyMap<string, string>): Table {
  return {
    columns: [
      { title: 'WHEN', as: 'time' },
      { title: 'USER', as: 'elastic' },
      'BY',
      { title: 'REQUEST', as: 'elastic' },
      { title: 'EVENT', as: 'id' },
    ],
    rows: events.map((event) => [
      event.createdAt,
      names.get(event.erunUserId) ?? event.erunUserId,
      event.mcpTool === undefined ? event.type : `${event.type} ${event.mcpTool}`,
      requestOf(event),
      event.auditEventId,
    ]),
    whenEmpty: 'No request matches.',
  };
}

type AuditEvent = AuditEventPage['events'][number];

const requestOf = ({ apiMethod, apiPath, cliCommand }: AuditEvent): string | undefined =>
  apiMethod === undefined ? cliCommand : `${apiMethod} ${apiPath}`;
