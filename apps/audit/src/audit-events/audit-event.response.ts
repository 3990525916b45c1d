import type { AuditEvent } from '@plat/contracts/audit';
import type { AuditEventRow } from './audit-event.queries';

/**
 * The response for a row, without unset fields. A row of type MCP has a method and path too, but only its tool is shown.
 * Spec: API, Audit event; rule D4.
 */
export function toAuditEvent(row: AuditEventRow): AuditEvent {
  const showsAction = row.type !== 'MCP';
  return {
    auditEventId: row.audit_event_id,
    tenantId: row.tenant_id,
    erunUserId: row.erun_user_id,
    externalUserId: row.external_user_id,
    externalIssuerId: row.external_issuer_id,
    externalOrgId: row.external_org_id ?? undefined,
    type: row.type,
    apiMethod: (showsAction ? row.api_method : null) ?? undefined,
    apiPath: (showsAction ? row.api_path : null) ?? undefined,
    mcpTool: row.mcp_tool ?? undefined,
    cliCommand: row.cli_command ?? undefined,
    createdAt: row.created_at,
  };
}
