import { Injectable } from '@nestjs/common';
import { ApiError, invalidField, newId, notFound, ROUTES } from '@plat/contracts/core';
import type { CreateUser, SetUserSubject, UpdateUserStatus, User } from '@plat/contracts/platform';
import { Database, violates } from '@plat/database';
import { answerList, type Caller, Identities, type ListAnswer } from '@plat/service';
import { insertUser, pageUsers, replaceUserSubject, updateUserDisabled, type UserRow } from './user.queries';

/** The users of a tenant. Rule E6. */
@Injectable()
export class UserService {
  constructor(
    private readonly database: Database,
    private readonly identities: Identities,
  ) {}

  list(caller: Caller): Promise<ListAnswer<User>> {
    return answerList({
      page: (after, rows) => pageUsers(this.database, caller, { after, rows }),
      toItem: toUser,
    });
  }

  /** @throws INVALID_BODY, FORBIDDEN, NOT_FOUND for a role that is not the tenant's, CONFLICT */
  async create(caller: Caller, body: CreateUser): Promise<User> {
    expectMayCreate(caller, body);
    try {
      const [row] = await insertUser(this.database, caller, { ...body, userId: newId() });
      this.identities.forget();
      return toUser(row!);
    } catch (error) {
      throw refusalOfUser(error) ?? error;
    }
  }

  /** Takes effect at once in every process, by the database. @throws NOT_FOUND, CONFLICT */
  async updateStatus(caller: Caller, userId: string, { status }: UpdateUserStatus): Promise<User> {
    const change = { userId, disabled: status === 'DISABLED' };
    const [row] = await updateUserDisabled(this.database, caller, change);
    this.identities.forget();
    return toUser(row!);
  }

  /**
   * The earlier subject of the issuer is refused at once by this process, and within seconds by others. Rule F2.
   *
   * @throws NOT_FOUND, FORBIDDEN, CONFLICT, INVALID_BODY
   */
  async setSubject(caller: Caller, userId: string, body: SetUserSubject): Promise<User> {
    try {
      const change = { ...body, userId, mayGrant: mayGrant(caller) };
      const [row] = await replaceUserSubject(this.database, caller, change);
      this.identities.forget();
      return toUser(row!);
    } catch (error) {
      throw refusalOfUser(error) ?? error;
    }
  }
}

function mayGrant({ principal }: Caller): boolean {
  const { method, template } = ROUTES.grantRole;
  return principal.permissions.permit(method, template);
}

/** Requires the permission to grant roles if the new user gets any. */
function expectMayCreate(caller: Caller, { issuer, subject, roleIds = [] }: CreateUser): void {
  if (roleIds.length > 0 && !mayGrant(caller)) {
    throw new ApiError('FORBIDDEN', { message: 'The caller is not allowed to grant roles.' });
  }
  if (issuer !== undefined && subject === undefined) {
    throw invalidField('subject', 'subject must be given with an issuer.');
  }
}

function refusalOfUser(error: unknown): ApiError | undefined {
  if (violates(error, 'users_tenant_id_username_key')) {
    return new ApiError('CONFLICT', { message: 'Another user of the tenant has that name.' });
  }
  if (violates(error, 'subjects_pkey')) {
    return new ApiError('CONFLICT', { message: 'Another user of the tenant signs in as that subject.' });
  }
  return violates(error, 'user_roles_tenant_id_role_id_fkey') ? notFound('role') : undefined;
}

const toUser = (row: UserRow): User => ({
  userId: row.user_id,
  tenantId: row.tenant_id,
  username: row.username,
  disabledAt: row.disabled_at ?? undefined,
});
