import type { CreateUser, SetUserSubject } from '@plat/contracts/platform';
import type { Database, TenantScope } from '@plat/database';

/** A user as identity's functions answer it. */
export interface UserRow {
  tenant_id: string;
  user_id: string;
  username: string;
  /** Absent from the answer for a new user. */
  disabled_at?: string | null;
}

/** The users after `after`, by name. */
export function pageUsers(
  database: Database,
  scope: TenantScope,
  { after, rows }: { after: UserRow | undefined; rows: number },
): Promise<UserRow[]> {
  return database.page(scope, {
    name: 'identity.page_tenant_users',
    args: [after?.username ?? null, after?.user_id ?? null, rows],
  });
}

/** Constraints refuse a name or subject that is taken and a role that is not the tenant's. */
export function insertUser(
  database: Database,
  scope: TenantScope,
  user: CreateUser & { userId: string },
): Promise<UserRow[]> {
  const { userId, username, issuer = null, subject = null, roleIds = [] } = user;
  return database.call(scope, {
    name: 'identity.create_user',
    args: [userId, username, issuer, subject, roleIds],
  });
}

/** @throws NOT_FOUND for a user who is not the tenant's, CONFLICT if no user could grant roles afterwards */
export function updateUserDisabled(
  database: Database,
  scope: TenantScope,
  { userId, disabled }: { userId: string; disabled: boolean },
): Promise<UserRow[]> {
  return database.call(scope, { name: 'identity.set_user_disabled', args: [userId, disabled] });
}

/**
 * A constraint refuses a subject that is taken.
 *
 * @param mayGrant whether the caller may grant roles, and so hand over those that the user holds
 * @throws NOT_FOUND, FORBIDDEN, CONFLICT for the caller's own subject, INVALID_BODY
 */
export function replaceUserSubject(
  database: Database,
  scope: TenantScope,
  { userId, issuer = null, subject, mayGrant }: ReplacedSubject,
): Promise<UserRow[]> {
  return database.call(scope, {
    name: 'identity.set_user_subject',
    args: [userId, issuer, subject, mayGrant],
  });
}

interface ReplacedSubject {
  userId: string;
  issuer?: SetUserSubject['issuer'] | null;
  subject: string;
  mayGrant: boolean;
}
