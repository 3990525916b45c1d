import { isId } from '@plat/contracts/core';
import type { PlatformAlias } from '../config/cloud-alias';
import { readCachedUsers, requireTenantUser } from '../platform/user-directory';

/** Names of users by their ids, from this machine's copy of the directory. Calls nothing. */
export async function userNames(configFolder: string, alias: PlatformAlias): Promise<Map<string, string>> {
  const directory = await readCachedUsers(configFolder, alias);
  return new Map(directory?.users.map(({ userId, username }) => [userId, username]));
}

/**
 * The id of a user who is given by id or by name; undefined if none is given.
 *
 * @throws Failure USER_NOT_IN_TENANT for a name that this machine's copy of the directory lacks
 */
export async function userIdOf(
  configFolder: string,
  alias: PlatformAlias,
  user: string | undefined,
): Promise<string | undefined> {
  if (user === undefined || isId(user)) return user;
  return (await requireTenantUser(configFolder, alias, user)).userId;
}
