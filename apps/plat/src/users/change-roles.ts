import { type ApiClient, grantRole, listUserRoles, revokeRole, type Role } from '@plat/api-client';
import { Failure } from '../terminal/failure';
import { tenantRoles } from './tenant-users';

/** The roles that a command gives and takes; those that the user holds, or holds no more, are left out. */
export interface RoleChange {
  add: Role[];
  remove: Role[];
}

/**
 * Determines what is to be changed, so that a command that was interrupted can be repeated.
 *
 * @throws Failure NO_SUCH_ROLE, AMBIGUOUS_ROLE, CONTRADICTORY_ROLES if a role is both to be given and to be taken
 */
export async function roleChange(
  api: ApiClient,
  userId: string,
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): Promise<RoleChange> {
  const held = await listUserRoles(api, { userId });
  const holds = ({ roleId }: Role) => held.some((role) => role.roleId === roleId);
  // A role that is held is known by its name, also if an operations caller sees the name in other tenants.
  const taken = remove.map((name) => held.find((role) => role.name === name || role.roleId === name) ?? name);
  await tenantRoles(
    api,
    taken.filter((role) => typeof role === 'string'),
  );
  const given = await tenantRoles(api, [...new Set(add)]);
  const both = given.find(({ name, roleId }) => remove.includes(name) || remove.includes(roleId));
  if (both) {
    throw new Failure('CONTRADICTORY_ROLES', `The role ${both.name} is both to be given and to be taken.`, {
      details: { role: both.name },
      next: 'name it once',
    });
  }
  const gone = new Set(taken.filter((role) => typeof role !== 'string'));
  return { add: given.filter((role) => !holds(role)), remove: [...gone] };
}

/** Gives first, so that a user who exchanges one role for another never holds none. @returns the roles held then */
export async function changeRoles(
  api: ApiClient,
  userId: string,
  { add, remove }: RoleChange,
): Promise<Role[]> {
  for (const { roleId } of add) await grantRole(api, { userId, body: { roleId } });
  for (const { roleId } of remove) await revokeRole(api, { userId, roleId });
  return listUserRoles(api, { userId });
}
