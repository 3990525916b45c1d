import { PermissionPattern } from '@plat/contracts/core';
import { Field, type FieldRule, rules } from '@plat/contracts/fields';

const PERMISSIONS_MAX = 100;
const ROLE_NAME_LENGTH_MAX = 255;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const TEMPLATE = /^\/v1\/[a-z0-9_/{}-]{1,200}$/;

/** A role as every route answers it. Rule E6. */
export class Role {
  @Field(rules.id, { description: 'Assigned by the service' })
  roleId!: string;

  @Field(rules.text(ROLE_NAME_LENGTH_MAX), { description: 'Unique in the tenant', example: 'TenantUser' })
  name!: string;
}

/** A permission of a role: one method on one route template, or a pattern for each. Rule F3. */
export class Permission {
  @Field(rules.oneOf(METHODS), { description: 'The method, with apiPath', optional: true })
  apiMethod?: string;

  @Field(rules.filterText(200), {
    description: 'The route template, with apiMethod',
    example: '/v1/reviews/{review_id}',
    optional: true,
  })
  apiPath?: string;

  @Field(rules.filterText(200), {
    description: 'Pattern for the whole method, with apiPathPattern',
    example: 'GET|POST',
    optional: true,
  })
  apiMethodPattern?: string;

  @Field(rules.filterText(200), {
    description:
      'Pattern for the whole template: letters, digits, / _ - { }, . for any character, .* at most 4 times, | and groups ( ) or ( )?',
    example: '/v1/reviews(/.*)?',
    optional: true,
  })
  apiPathPattern?: string;
}

/** A role with its permissions, as GET /v1/roles/{role_id} answers it. Rule E6. */
export class RoleDetails extends Role {
  @Field(rules.listOfShape(Permission), {
    description: 'Its rules: each request that one of them matches is permitted',
  })
  permissions!: Permission[];
}

/** A rule with those of its four fields that are set, and with no other field. */
export function permissionOf({
  apiMethod,
  apiPath,
  apiMethodPattern,
  apiPathPattern,
}: Permission): Permission {
  const given = Object.entries({ apiMethod, apiPath, apiMethodPattern, apiPathPattern });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null));
}

function isPermission(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { apiMethod, apiPath, apiMethodPattern, apiPathPattern } = permissionOf(value);
  if (apiMethod !== undefined || apiPath !== undefined) {
    const exact = METHODS.includes(apiMethod as string) && isTemplate(apiPath);
    return exact && apiMethodPattern === undefined && apiPathPattern === undefined;
  }
  return isPattern(apiMethodPattern) && isPattern(apiPathPattern);
}

const isTemplate = (value: unknown): boolean => typeof value === 'string' && TEMPLATE.test(value);

const isPattern = (value: unknown): boolean =>
  typeof value === 'string' && PermissionPattern.read(value) !== undefined;

const permissions: FieldRule = {
  schema: { ...rules.listOfShape(Permission).schema, maxItems: PERMISSIONS_MAX },
  items: Permission,
  judge: (value) => {
    if (!Array.isArray(value) || value.length > PERMISSIONS_MAX) {
      return { message: `must be a list of at most ${PERMISSIONS_MAX} rules` };
    }
    const message = 'must hold {apiMethod, apiPath} or {apiMethodPattern, apiPathPattern}, in their grammar';
    return value.every(isPermission) ? undefined : { message };
  },
};

/** Body of POST /v1/roles. */
export class CreateRole {
  @Field(rules.text(ROLE_NAME_LENGTH_MAX), { description: 'Unique in the tenant', example: 'Promoter' })
  name!: string;

  @Field(permissions, { description: 'The requests that the role permits: all that match one of the rules' })
  permissions!: Permission[];
}
