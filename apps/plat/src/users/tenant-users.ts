import { type ApiClient, listRoles, listUsers, type Role, type User, whoami } from '@plat/api-client';
import { Failure } from '../terminal/failure';
import { listOf, nextStep } from '../terminal/next-step';
import { Args } from '../terminal/oclif';

/** The user that an administrator names. */
export const userArgument = Args.string({
  name: 'user',
  description: 'Id or name of a user of your tenant',
  required: true,
  ignoreStdin: true,
});

/** The users of the caller's own tenant, as the platform has them now. An operations caller may read others too. */
export async function tenantUsers(api: ApiClient): Promise<User[]> {
  const [{ tenantId }, users] = await Promise.all([whoami(api), listUsers(api)]);
  return users.filter((user) => user.tenantId === tenantId);
}

/** The user of the tenant with an id or a name. @throws Failure NO_SUCH_USER */
export async function tenantUser(api: ApiClient, user: string): Promise<User> {
  const users = await tenantUsers(api);
  const found =
    users.find(({ userId }) => userId === user.toLowerCase()) ??
    users.find(({ username }) => username === user);
  if (found) return found;
  throw new Failure('NO_SUCH_USER', `Your tenant has no user ${JSON.stringify(user)}.`, {
    details: { user },
    next: 'plat admin user list',
  });
}

/**
 * The roles of the tenant with those names or ids, in their order.
 *
 * @throws Failure NO_SUCH_ROLE with the names that there are, AMBIGUOUS_ROLE for an operations caller who sees a name twice
 */
export async function tenantRoles(api: ApiClient, names: readonly string[]): Promise<Role[]> {
  if (names.length === 0) return [];
  const roles = await listRoles(api);
  return names.map((name) => {
    const [found, ...others] = roles.filter((role) => role.name === name || role.roleId === name);
    if (found === undefined) {
      const known = listOf([...new Set(roles.map((role) => role.name))]);
      throw new Failure('NO_SUCH_ROLE', `Your tenant has no role ${JSON.stringify(name)}.`, {
        details: { role: name },
        next: nextStep('name one of', known),
      });
    }
    if (others.length === 0) return found;
    throw new Failure('AMBIGUOUS_ROLE', `You see ${others.length + 1} roles named ${JSON.stringify(name)}.`, {
      details: { role: name },
      next: 'name the role by its id: plat api GET /v1/roles',
    });
  });
}
