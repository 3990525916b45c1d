import type { Database, TenantScope } from '@plat/database';
import type { RoleRow } from '../roles/role.queries';

/** A user, and a role that the user holds or is to hold. */
export interface Holding {
  userId: string;
  roleId: string;
}

/** @throws NOT_FOUND for a user whom the caller cannot see */
export function listUserRoles(database: Database, scope: TenantScope, userId: string): Promise<RoleRow[]> {
  return database.call(scope, { name: 'identity.list_user_roles', args: [userId] });
}

/** The keys refuse a user or role that is not the tenant's, and a role that the user has already. */
export function insertUserRole(
  database: Database,
  scope: TenantScope,
  { userId, roleId }: Holding,
): Promise<RoleRow[]> {
  return database.call(scope, { name: 'identity.grant_role', args: [userId, roleId] });
}

/** @returns whether the user held the role. @throws CONFLICT if no user could grant roles afterwards */
export async function deleteUserRole(
  database: Database,
  scope: TenantScope,
  { userId, roleId }: Holding,
): Promise<boolean> {
  const [row] = await database.call<{ revoked: boolean }>(scope, {
    name: 'identity.revoke_role',
    args: [userId, roleId],
    select: 'f AS revoked',
  });
  return row!.revoked;
}
