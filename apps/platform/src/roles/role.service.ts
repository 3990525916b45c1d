import { Injectable } from '@nestjs/common';
import { ApiError, newId } from '@plat/contracts/core';
import { type CreateRole, permissionOf, type Role } from '@plat/contracts/platform';
import { Database, violates } from '@plat/database';
import type { Caller } from '@plat/service';
import { insertRole, listRoles, type RoleRow } from './role.queries';

/** What the users of a tenant may be allowed to do, by name. Decisions E6, F3. */
@Injectable()
export class RoleService {
  constructor(private readonly database: Database) {}

  async list(caller: Caller): Promise<Role[]> {
    return (await listRoles(this.database, caller)).map(toRole);
  }

  /** Nobody holds a new role, so no caller's permissions change. @throws CONFLICT */
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

/** A row as it is answered. */
export const toRole = ({ role_id: roleId, name }: RoleRow): Role => ({ roleId, name });
