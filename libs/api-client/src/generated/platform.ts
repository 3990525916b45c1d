// Written by `npm run generate` from the OpenAPI document of the service; nobody edits it.
import { type ApiClient, segment } from '../api-client';
import type { components } from './platform.schema';

export type CreateEnvironment = components['schemas']['CreateEnvironment'];

export type CreateRole = components['schemas']['CreateRole'];

export type CreateUser = components['schemas']['CreateUser'];

export type Environment = components['schemas']['Environment'];

export type GrantRole = components['schemas']['GrantRole'];

export type Hostname = components['schemas']['Hostname'];

export type Platform = components['schemas']['Platform'];

export type PutHostname = components['schemas']['PutHostname'];

export type Role = components['schemas']['Role'];

export type RoleDetails = components['schemas']['RoleDetails'];

export type SetUserSubject = components['schemas']['SetUserSubject'];

export type UpdateUserStatus = components['schemas']['UpdateUserStatus'];

export type User = components['schemas']['User'];

export type Whoami = components['schemas']['Whoami'];

const PLATFORM_ANSWER = {
  issuer: 'string',
  apiUrl: 'string',
  consoleUrl: 'string',
  cliClientId: 'string',
  consoleClientId: 'string',
  brand: 'string',
  docsUrl: 'string',
  version: 'string',
  servicesZone: 'string',
} as const;

const WHOAMI_ANSWER = {
  tenantId: 'id',
  userId: 'id',
  username: 'string',
  roles: { listOf: 'string' },
  issuer: 'string',
  subject: 'string',
} as const;

const ENVIRONMENT_ANSWER = {
  environmentId: 'id',
  tenantId: 'id',
  name: 'string',
  namespace: 'string?',
  type: 'string',
  status: 'string',
  kubernetesContext: 'string?',
  exposedHostname: 'string?',
  deleteError: 'string?',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const HOSTNAME_ANSWER = { hostname: 'string', targetIp: 'string' } as const;

const USER_ANSWER = { userId: 'id', tenantId: 'id', username: 'string', disabledAt: 'time?' } as const;

const ROLE_ANSWER = { roleId: 'id', name: 'string' } as const;

const PERMISSION_ANSWER = {
  apiMethod: 'string?',
  apiPath: 'string?',
  apiMethodPattern: 'string?',
  apiPathPattern: 'string?',
} as const;

const ROLE_DETAILS_ANSWER = {
  roleId: 'id',
  name: 'string',
  permissions: { listOf: PERMISSION_ANSWER },
} as const;

/** The answers of the routes when they succeed. */
export const PLATFORM_ANSWERS = {
  'GET /v1/platform': { statuses: [200], body: { one: PLATFORM_ANSWER } },
  'GET /v1/whoami': { statuses: [200], body: { one: WHOAMI_ANSWER } },
  'GET /v1/environments': { statuses: [200], body: { many: ENVIRONMENT_ANSWER } },
  'POST /v1/environments': { statuses: [201], body: { one: ENVIRONMENT_ANSWER }, keyed: true },
  'GET /v1/environments/{environment_id}': { statuses: [200], body: { one: ENVIRONMENT_ANSWER } },
  'DELETE /v1/environments/{environment_id}': { statuses: [202], body: { one: ENVIRONMENT_ANSWER } },
  'PUT /v1/environments/{environment_id}/hostname': { statuses: [200], body: { one: HOSTNAME_ANSWER } },
  'DELETE /v1/environments/{environment_id}/hostname': { statuses: [204], body: 'nothing' },
  'GET /v1/users': { statuses: [200], body: { many: USER_ANSWER } },
  'POST /v1/users': { statuses: [201], body: { one: USER_ANSWER } },
  'PATCH /v1/users/{user_id}/status': { statuses: [200], body: { one: USER_ANSWER } },
  'PUT /v1/users/{user_id}/subject': { statuses: [200], body: { one: USER_ANSWER } },
  'GET /v1/users/{user_id}/roles': { statuses: [200], body: { many: ROLE_ANSWER } },
  'POST /v1/users/{user_id}/roles': { statuses: [201], body: { one: ROLE_ANSWER } },
  'DELETE /v1/users/{user_id}/roles/{role_id}': { statuses: [204], body: 'nothing' },
  'GET /v1/roles': { statuses: [200], body: { many: ROLE_ANSWER } },
  'GET /v1/roles/{role_id}': { statuses: [200], body: { one: ROLE_DETAILS_ANSWER } },
  'POST /v1/roles': { statuses: [201], body: { one: ROLE_ANSWER } },
} as const;

/**
 * Describe the platform to a client that has not signed in. `GET /v1/platform`
 */
export function getPlatform(api: ApiClient): Promise<Platform> {
  return api.send({ method: 'GET', path: '/v1/platform', expected: PLATFORM_ANSWERS['GET /v1/platform'] });
}

/**
 * Show who the caller is here. `GET /v1/whoami`
 */
export function whoami(api: ApiClient): Promise<Whoami> {
  return api.send({ method: 'GET', path: '/v1/whoami', expected: PLATFORM_ANSWERS['GET /v1/whoami'] });
}

/**
 * List environments by name. `GET /v1/environments`
 */
export function listEnvironments(api: ApiClient): Promise<Environment[]> {
  return api.send({
    method: 'GET',
    path: '/v1/environments',
    expected: PLATFORM_ANSWERS['GET /v1/environments'],
  });
}

/**
 * Register an environment. `POST /v1/environments`
 *
 * @throws ApiFault INVALID_BODY, CONFLICT, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
 */
export function createEnvironment(api: ApiClient, input: { body: CreateEnvironment }): Promise<Environment> {
  return api.send({
    method: 'POST',
    path: '/v1/environments',
    body: input.body,
    expected: PLATFORM_ANSWERS['POST /v1/environments'],
  });
}

/**
 * Show one environment. `GET /v1/environments/{environment_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function getEnvironment(api: ApiClient, input: { environmentId: string }): Promise<Environment> {
  return api.send({
    method: 'GET',
    path: `/v1/environments/${segment(input.environmentId)}`,
    expected: PLATFORM_ANSWERS['GET /v1/environments/{environment_id}'],
    about: { environmentId: input.environmentId },
  });
}

/**
 * Delete an environment in the background. `DELETE /v1/environments/{environment_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function deleteEnvironment(api: ApiClient, input: { environmentId: string }): Promise<Environment> {
  return api.send({
    method: 'DELETE',
    path: `/v1/environments/${segment(input.environmentId)}`,
    expected: PLATFORM_ANSWERS['DELETE /v1/environments/{environment_id}'],
    about: { environmentId: input.environmentId },
  });
}

/**
 * Point an environment's public names at an address. `PUT /v1/environments/{environment_id}/hostname`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, NOT_FOUND, CONFLICT, NOT_IMPLEMENTED
 */
export function putHostname(
  api: ApiClient,
  input: { environmentId: string; body: PutHostname },
): Promise<Hostname> {
  return api.send({
    method: 'PUT',
    path: `/v1/environments/${segment(input.environmentId)}/hostname`,
    body: input.body,
    expected: PLATFORM_ANSWERS['PUT /v1/environments/{environment_id}/hostname'],
  });
}

/**
 * Take an environment's public names back. `DELETE /v1/environments/{environment_id}/hostname`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND, NOT_IMPLEMENTED
 */
export function deleteHostname(api: ApiClient, input: { environmentId: string }): Promise<void> {
  return api.send({
    method: 'DELETE',
    path: `/v1/environments/${segment(input.environmentId)}/hostname`,
    expected: PLATFORM_ANSWERS['DELETE /v1/environments/{environment_id}/hostname'],
  });
}

/**
 * List the users of the tenant by name. `GET /v1/users`
 */
export function listUsers(api: ApiClient): Promise<User[]> {
  return api.send({ method: 'GET', path: '/v1/users', expected: PLATFORM_ANSWERS['GET /v1/users'] });
}

/**
 * Enrol a user, who can sign in when a subject is given. `POST /v1/users`
 *
 * @throws ApiFault INVALID_BODY, NOT_FOUND, CONFLICT
 */
export function createUser(api: ApiClient, input: { body: CreateUser }): Promise<User> {
  return api.send({
    method: 'POST',
    path: '/v1/users',
    body: input.body,
    expected: PLATFORM_ANSWERS['POST /v1/users'],
  });
}

/**
 * Disable a user, unless nobody could grant roles any more, or enable one. `PATCH /v1/users/{user_id}/status`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, NOT_FOUND, CONFLICT
 */
export function updateUserStatus(
  api: ApiClient,
  input: { userId: string; body: UpdateUserStatus },
): Promise<User> {
  return api.send({
    method: 'PATCH',
    path: `/v1/users/${segment(input.userId)}/status`,
    body: input.body,
    expected: PLATFORM_ANSWERS['PATCH /v1/users/{user_id}/status'],
    about: { userId: input.userId },
  });
}

/**
 * Set by which subject of an issuer a user signs in. `PUT /v1/users/{user_id}/subject`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, NOT_FOUND, CONFLICT
 */
export function setUserSubject(
  api: ApiClient,
  input: { userId: string; body: SetUserSubject },
): Promise<User> {
  return api.send({
    method: 'PUT',
    path: `/v1/users/${segment(input.userId)}/subject`,
    body: input.body,
    expected: PLATFORM_ANSWERS['PUT /v1/users/{user_id}/subject'],
    about: { userId: input.userId },
  });
}

/**
 * List the roles that a user holds. `GET /v1/users/{user_id}/roles`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function listUserRoles(api: ApiClient, input: { userId: string }): Promise<Role[]> {
  return api.send({
    method: 'GET',
    path: `/v1/users/${segment(input.userId)}/roles`,
    expected: PLATFORM_ANSWERS['GET /v1/users/{user_id}/roles'],
  });
}

/**
 * Give a user a role. `POST /v1/users/{user_id}/roles`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, NOT_FOUND, CONFLICT
 */
export function grantRole(api: ApiClient, input: { userId: string; body: GrantRole }): Promise<Role> {
  return api.send({
    method: 'POST',
    path: `/v1/users/${segment(input.userId)}/roles`,
    body: input.body,
    expected: PLATFORM_ANSWERS['POST /v1/users/{user_id}/roles'],
  });
}

/**
 * Take a role back, unless nobody could grant roles any more. `DELETE /v1/users/{user_id}/roles/{role_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND, CONFLICT
 */
export function revokeRole(api: ApiClient, input: { userId: string; roleId: string }): Promise<void> {
  return api.send({
    method: 'DELETE',
    path: `/v1/users/${segment(input.userId)}/roles/${segment(input.roleId)}`,
    expected: PLATFORM_ANSWERS['DELETE /v1/users/{user_id}/roles/{role_id}'],
  });
}

/**
 * List the roles of the tenant by name. `GET /v1/roles`
 */
export function listRoles(api: ApiClient): Promise<Role[]> {
  return api.send({ method: 'GET', path: '/v1/roles', expected: PLATFORM_ANSWERS['GET /v1/roles'] });
}

/**
 * Show what a role permits. `GET /v1/roles/{role_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function getRole(api: ApiClient, input: { roleId: string }): Promise<RoleDetails> {
  return api.send({
    method: 'GET',
    path: `/v1/roles/${segment(input.roleId)}`,
    expected: PLATFORM_ANSWERS['GET /v1/roles/{role_id}'],
    about: { roleId: input.roleId },
  });
}

/**
 * Define a role by what it permits. `POST /v1/roles`
 *
 * @throws ApiFault INVALID_BODY, CONFLICT
 */
export function createRole(api: ApiClient, input: { body: CreateRole }): Promise<Role> {
  return api.send({
    method: 'POST',
    path: '/v1/roles',
    body: input.body,
    expected: PLATFORM_ANSWERS['POST /v1/roles'],
  });
}
