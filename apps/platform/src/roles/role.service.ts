import { Injectable } from '@nestjs/common';
import { ApiError, newId, notFound } from '@plat/contracts/core';
import { type CreateRole, permissionOf, type Role, type RoleDetails } from '@plat/contracts/platform';
import { Database, violates } from '@plat/database';
import { answerList, type Caller, type ListAnswer } from '@plat/service';
import { findRole, insertRole, pageRoles, type RoleRow } from './role.queries';

/** The roles of a tenant. Rules E6, F3. */
@Injectable()
export class RoleService {
  constructor(private readonly database: Database) {}

  list(caller: Caller): Promise<ListAnswer<Role>> {
    return answerList({
      page: (after, rows) => pageRoles(this.database, caller, { after, rows }),
      toItem: toRole,
    });
  }

  /** @throws NOT_FOUND */
  async get(caller: Caller, roleId: string): Promise<RoleDetails> {
    const row = await findRole(this.database, caller, roleId);
    if (!row) throw notFound('role');
    return { ...toRole(row), permissions: row.permissions };
  }

  /** No user holds a new role, so no caller's permissions change. @throws CONFLICT */
  async create(caller: Caller, { name, permissions }: CreateRole): Promise<Role> {
    const role = { roleId: newId(), name, permissions: permissions.map(permissionOf) };
    try {
      const [row] = await insertRole(this.database, caller, role);
      return toRole(row!);
    } catch (error) {
      if (!violates(error, 'roles_tenant_id_name_key')) throw error;
      throw new ApiError('CONFLICT', { message: 'Another role of the tenant has that name.' });
    }
  }
}

/** The response for a row. */
export const toRole = ({ role_id: roleId, name }: RoleRow): Role => ({ roleId, name });
