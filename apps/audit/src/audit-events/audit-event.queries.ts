import type { AuditType, Keyset } from '@plat/contracts/core';
import type { Database, TenantScope } from '@plat/database';

/** A row of the trail without the serialized arguments, which no reader can reach. */
export interface AuditEventRow {
  tenant_id: string;
  audit_event_id: string;
  erun_user_id: string;
  external_user_id: string;
  external_issuer_id: string;
  external_org_id: string | null;
  type: AuditType;
  api_method: string | null;
  api_path: string | null;
  mcp_tool: string | null;
  cli_command: string | null;
  created_at: string;
}

/** Filters as the database takes them, and the row after which the page begins. `rows` is the page size plus one. */
export interface AuditEventSelection {
  since?: string;
  until?: string;
  erunUserId?: string;
  type?: AuditType;
  apiMethod?: string;
  apiPath?: string;
  after?: Keyset;
  rows: number;
}

export function listAuditEvents(
  database: Database,
  scope: TenantScope,
  { since, until, erunUserId, type, apiMethod, apiPath, after, rows }: AuditEventSelection,
): Promise<AuditEventRow[]> {
  const filters = [since, until, erunUserId, type, apiMethod, apiPath, after?.createdAt, after?.id];
  return database.call(scope, {
    name: 'audit.list_events',
    args: [...filters.map((value) => value ?? null), rows],
  });
}
