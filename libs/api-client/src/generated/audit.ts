// Written by `npm run generate` from the OpenAPI document of the service; nobody edits it.
import { type ApiClient } from '../api-client';
import type { components, operations } from './audit.schema';

export type AuditEventPage = components['schemas']['AuditEventPage'];

export type AuditEventQuery = NonNullable<operations['listAuditEvents']['parameters']['query']>;

const AUDIT_EVENT_ANSWER = {
  auditEventId: 'id',
  tenantId: 'id',
  erunUserId: 'id',
  externalUserId: 'string',
  externalIssuerId: 'string',
  externalOrgId: 'string?',
  type: 'string',
  apiMethod: 'string?',
  apiPath: 'string?',
  mcpTool: 'string?',
  cliCommand: 'string?',
  createdAt: 'time',
} as const;

const AUDIT_EVENT_PAGE_ANSWER = { events: { listOf: AUDIT_EVENT_ANSWER }, nextCursor: 'string?' } as const;

/** What each route answers when it succeeds. */
export const AUDIT_ANSWERS = {
  'GET /v1/audit-events': { statuses: [200], body: { one: AUDIT_EVENT_PAGE_ANSWER } },
} as const;

/**
 * Page through the audit trail, newest first. `GET /v1/audit-events`
 *
 * @throws ApiFault INVALID_QUERY
 */
export function listAuditEvents(
  api: ApiClient,
  input: { query?: AuditEventQuery } = {},
): Promise<AuditEventPage> {
  return api.send({
    method: 'GET',
    path: '/v1/audit-events',
    query: input.query,
    expected: AUDIT_ANSWERS['GET /v1/audit-events'],
  });
}
