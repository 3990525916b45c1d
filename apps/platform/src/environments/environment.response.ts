import type { Environment } from '@plat/contracts/platform';
import type { EnvironmentRow } from './environment.queries';

/** The response for a row, without unset fields. */
export function toEnvironment(row: EnvironmentRow): Environment {
  return {
    environmentId: row.environment_id,
    tenantId: row.tenant_id,
    name: row.name,
    namespace: row.namespace ?? undefined,
    type: row.type,
    status: row.status,
    kubernetesContext: row.kubernetes_context ?? undefined,
    exposedHostname: row.exposed_hostname ?? undefined,
    deleteError: row.delete_error ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
