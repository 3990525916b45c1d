import { updateUserStatus, type User } from '@plat/api-client';
import type { UserStatus } from '@plat/contracts/core';
import type { Platform } from '../platform/platform';
import { tenantUser } from './tenant-users';

/** A command's change of a user's status, once the user is found. */
export interface StatusChange {
  user: User;
  /** The call, for `--dry-run`. */
  plan: string;
  apply(): Promise<User>;
}

/** Finds the user, and changes nothing yet. @throws Failure NO_SUCH_USER */
export async function statusChange(
  platform: Platform,
  name: string,
  status: UserStatus,
): Promise<StatusChange> {
  const user = await tenantUser(platform.api, name);
  const { userId } = user;
  return {
    user,
    plan: platform.plannedCall('updateUserStatus', { user_id: userId }),
    apply: () => updateUserStatus(platform.api, { userId, body: { status } }),
  };
}
