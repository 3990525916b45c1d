// Written by `npm run generate` from the OpenAPI document of the service; nobody edits it.
import { type ApiClient } from '../api-client';
import type { components, operations } from './audit.schema';

export type AuditEventPage = components['schemas']['AuditEventPage'];

export type AuditEventQuery = NonNullable<operations['listAuditEvents']['parameters']['query']>;

/**
 * Page through the audit trail, newest first. `GET /v1/audit-events`
 *
 * @throws ApiFault INVALID_QUERY
 */
export function listAuditEvents(
  api: ApiClient,
  input: { query?: AuditEventQuery } = {},
): Promise<AuditEventPage> {
  return api.send({ method: 'GET', path: '/v1/audit-events', query: input.query });
}
