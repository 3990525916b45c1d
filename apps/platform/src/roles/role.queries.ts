import type { Permission } from '@plat/contracts/platform';
import type { Database, TenantScope } from '@plat/database';

/** A role as identity's functions answer it. */
export interface RoleRow {
  role_id: string;
  name: string;
}

/** The roles after `after`, by name. */
export function pageRoles(
  database: Database,
  scope: TenantScope,
  { after, rows }: { after: RoleRow | undefined; rows: number },
): Promise<RoleRow[]> {
  return database.page(scope, {
    name: 'identity.page_roles',
    args: [after?.name ?? null, after?.role_id ?? null, rows],
  });
}

/** The unique constraint refuses a name that is taken. */
export function insertRole(
  database: Database,
  scope: TenantScope,
  { roleId, name, permissions }: { roleId: string; name: string; permissions: Permission[] },
): Promise<RoleRow[]> {
  return database.call(scope, {
    name: 'identity.create_role',
    args: [roleId, name, JSON.stringify(permissions)],
  });
}
