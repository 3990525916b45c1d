import type { EnvironmentStatus, EnvironmentType } from '@plat/contracts/core';
import type { CreateEnvironment } from '@plat/contracts/platform';
import type { Database, KeyedScope, TenantScope } from '@plat/database';

/** A row of environments.environments, with its namespace. Timestamps are RFC 3339 UTC. */
export interface EnvironmentRow {
  tenant_id: string;
  environment_id: string;
  name: string;
  /** Null for an environment of another tenant, which a caller of the operations tenant may read. */
  namespace: string | null;
  type: EnvironmentType;
  status: EnvironmentStatus;
  kubernetes_context: string | null;
  exposed_hostname: string | null;
  delete_error: string | null;
  created_at: string;
  updated_at: string;
}

const WITH_NAMESPACE = 'f.*, environments.namespace_of(f.tenant_id, f.name) AS namespace';

/** The environments after `after`, by name. */
export function pageEnvironments(
  database: Database,
  scope: TenantScope,
  { after, rows }: { after: EnvironmentRow | undefined; rows: number },
): Promise<EnvironmentRow[]> {
  return database.page(scope, {
    name: 'environments.page_environments',
    args: [after?.name ?? null, after?.environment_id ?? null, rows],
    select: WITH_NAMESPACE,
  });
}

export function findEnvironment(
  database: Database,
  scope: TenantScope,
  environmentId: string,
): Promise<EnvironmentRow[]> {
  return database.call(scope, {
    name: 'environments.get_environment',
    args: [environmentId],
    select: WITH_NAMESPACE,
  });
}

/** The unique constraint refuses a name that is taken. */
export function insertEnvironment(
  database: Database,
  scope: KeyedScope,
  environment: CreateEnvironment & { environmentId: string },
): Promise<EnvironmentRow[]> {
  const { environmentId, name, type, kubernetesContext = null } = environment;
  return database.create(scope, {
    name: 'environments.create_environment',
    args: [environmentId, name, type, kubernetesContext],
    select: WITH_NAMESPACE,
  });
}

/** Stores a deletion job, which a worker does even if this process ends. */
export function requestDeletion(
  database: Database,
  scope: TenantScope,
  environmentId: string,
): Promise<EnvironmentRow[]> {
  return database.call(scope, {
    name: 'environments.request_deletion',
    args: [environmentId, scope.userId],
    select: WITH_NAMESPACE,
  });
}
