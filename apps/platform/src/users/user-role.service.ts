import { Injectable } from '@nestjs/common';
import { ApiError, notFound } from '@plat/contracts/core';
import type { Role } from '@plat/contracts/platform';
import { Database, violates } from '@plat/database';
import { type Caller, Identities } from '@plat/service';
import { toRole } from '../roles/role.service';
import { deleteUserRole, type Holding, insertUserRole, listUserRoles } from './user-role.queries';

/** Lists, grants and revokes the roles of users. Rule E6. */
@Injectable()
export class UserRoleService {
  constructor(
    private readonly database: Database,
    private readonly identities: Identities,
  ) {}

  /** @throws NOT_FOUND */
  async list(caller: Caller, userId: string): Promise<Role[]> {
    return (await listUserRoles(this.database, caller, userId)).map(toRole);
  }

  /** @throws NOT_FOUND for a user or role that is not the tenant's, CONFLICT */
  async grant(caller: Caller, holding: Holding): Promise<Role> {
    try {
      const [row] = await insertUserRole(this.database, caller, holding);
      this.identities.forget();
      return toRole(row!);
    } catch (error) {
      if (violates(error, 'user_roles_tenant_id_user_id_fkey')) throw notFound('user');
      if (violates(error, 'user_roles_tenant_id_role_id_fkey')) throw notFound('role');
      if (violates(error, 'user_roles_pkey')) {
        throw new ApiError('CONFLICT', { message: 'The user holds the role already.' });
      }
      throw error;
    }
  }

  /** @throws NOT_FOUND, CONFLICT if no user who can sign in could grant roles any more */
  async revoke(caller: Caller, holding: Holding): Promise<void> {
    if (!(await deleteUserRole(this.database, caller, holding))) throw notFound('role of the user');
    this.identities.forget();
  }
}
