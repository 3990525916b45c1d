import { USER_STATUSES, type UserStatus } from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

const USERNAME_LENGTH_MAX = 255;
const SUBJECT_LENGTH_MAX = 255;
const ISSUER_LENGTH_MAX = 2048;
const ROLES_MAX = 100;

/** A user as every route answers it. Rule E6. */
export class User {
  @Field(rules.id, { description: 'Assigned by the service' })
  userId!: string;

  @Field(rules.id, { description: 'The tenant that the user belongs to' })
  tenantId!: string;

  @Field(rules.text(USERNAME_LENGTH_MAX), { description: 'Unique in the tenant', example: 'alice' })
  username!: string;

  @Field(rules.instant, { description: 'When the user was disabled, RFC 3339 UTC', optional: true })
  disabledAt?: string;
}

/** Body of PATCH /v1/users/{user_id}/status. */
export class UpdateUserStatus {
  @Field(rules.oneOf(USER_STATUSES), {
    description: 'DISABLED refuses the user from the next request on, ACTIVE serves the user again',
  })
  status!: UserStatus;
}

/** Body of POST /v1/users. */
export class CreateUser {
  @Field(rules.text(USERNAME_LENGTH_MAX), { description: 'Unique in the tenant', example: 'alice' })
  username!: string;

  @Field(rules.text(ISSUER_LENGTH_MAX), {
    description: 'The OIDC issuer of the subject; may be left out if only one serves the tenant',
    optional: true,
  })
  issuer?: string;

  @Field(rules.text(SUBJECT_LENGTH_MAX), {
    description: "The issuer's name for the user; without one the user cannot sign in",
    optional: true,
  })
  subject?: string;

  @Field(rules.ids(ROLES_MAX), {
    description: 'Roles to hold from the start; requires the permission to grant roles',
    optional: true,
  })
  roleIds?: string[];
}

/** Body of PUT /v1/users/{user_id}/subject. */
export class SetUserSubject {
  @Field(rules.text(ISSUER_LENGTH_MAX), {
    description: 'The OIDC issuer of the subject; may be left out if only one serves the tenant',
    optional: true,
  })
  issuer?: string;

  @Field(rules.text(SUBJECT_LENGTH_MAX), {
    description: "The issuer's name for the user; it replaces an earlier one of the same issuer",
  })
  subject!: string;
}

/** Body of POST /v1/users/{user_id}/roles. */
export class GrantRole {
  @Field(rules.id, { description: 'A role of the tenant' })
  roleId!: string;
}
