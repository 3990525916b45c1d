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

/** A role with its rules, as identity.find_role answers it. */
export interface RoleDetailsRow extends RoleRow {
  permissions: Permission[];
}

/** Undefined for a role that the caller cannot see. */
export async function findRole(
  database: Database,
  scope: TenantScope,
  roleId: string,
): Promise<RoleDetailsRow | undefined> {
  const [row] = await database.call<RoleDetailsRow>(scope, { name: 'identity.find_role', args: [roleId] });
  return row;
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
