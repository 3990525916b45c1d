import type { Database, TenantScope } from '@plat/database';
import type { ExposedRow, PublicName } from '../environments/public-name.queries';

/** The namespace of the caller's environment, `<tenant>-<env>`. */
export async function namespaceOf(
  database: Database,
  scope: TenantScope,
  environmentName: string,
): Promise<string> {
  const [row] = await database.call<{ namespace: string }>(scope, {
    name: 'environments.namespace_of',
    args: [environmentName],
    select: 'f AS namespace',
  });
  return row!.namespace;
}

/** Records the environment's public name, null for none. Returns no row when the environment is gone. */
export function updateExposedHostname(
  database: Database,
  scope: TenantScope,
  { environmentId, hostname }: PublicName,
): Promise<ExposedRow[]> {
  return database.call(scope, {
    name: 'environments.set_exposed_hostname',
    args: [environmentId, hostname],
  });
}
