// Written by `npm run generate` from the service's controllers. Do not edit.
import { type ApiClient, segment } from '../api-client';

export interface CreateEnvironment {
  /** Unique in the tenant; with the tenant's name and a hyphen before it at most 63 characters */
  name: string;
  /** How the environment runs */
  type: 'local-agent' | 'remote-agent' | 'runtime';
  /** The cluster that it runs in, as the deployment names it, one of those that environments may name; its default one otherwise */
  kubernetesContext?: string;
}

export interface CreateRole {
  /** Unique in the tenant */
  name: string;
  /** The requests that the role permits: all that match one of the rules */
  permissions: Permission[];
}

export interface CreateUser {
  /** Unique in the tenant */
  username: string;
  /** The OIDC issuer of the subject; may be left out if only one serves the tenant */
  issuer?: string;
  /** The issuer's name for the user; without one the user cannot sign in */
  subject?: string;
  /** Roles to hold from the start; requires the permission to grant roles */
  roleIds?: string[];
}

export interface Environment {
  /** Assigned by the service */
  environmentId: string;
  /** The tenant that the environment belongs to */
  tenantId: string;
  /** Unique in the tenant */
  name: string;
  /** Its Kubernetes namespace, <tenant>-<name>; left out for another tenant's */
  namespace?: string;
  /** How the environment runs */
  type: 'local-agent' | 'remote-agent' | 'runtime';
  /** deleting while the job is under way, deletion-blocked when it has given up */
  status: 'registered' | 'deleting' | 'deletion-blocked';
  /** The cluster that it runs in, as the deployment names it */
  kubernetesContext?: string;
  /** The wildcard name under which its services are public */
  exposedHostname?: string;
  /** Why the deletion is blocked */
  deleteError?: string;
  /** RFC 3339 UTC */
  createdAt: string;
  /** RFC 3339 UTC */
  updatedAt: string;
}

export interface GrantRole {
  /** A role of the tenant */
  roleId: string;
}

export interface Hostname {
  /** The wildcard name that the record has; a service is public as <service> in place of * */
  hostname: string;
  /** The address it leads to */
  targetIp: string;
}

interface Permission {
  /** The method, with apiPath */
  apiMethod?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The route template, with apiMethod */
  apiPath?: string;
  /** Pattern for the whole method, with apiPathPattern */
  apiMethodPattern?: string;
  /** Pattern for the whole template: letters, digits, / _ - { }, . for any character, .* at most 4 times, | and groups ( ) or ( )? */
  apiPathPattern?: string;
}

export interface Platform {
  /** OIDC issuer to sign in with */
  issuer: string;
  /** Base address of this API; also the audience of its tokens */
  apiUrl: string;
  /** Address of the console */
  consoleUrl: string;
  /** The command-line client's id at the issuer */
  cliClientId: string;
  /** The console's client id at the issuer */
  consoleClientId: string;
  /** Name to show */
  brand: string;
  /** Address of the documentation */
  docsUrl: string;
  /** Version of the services */
  version: string;
  /** DNS zone under which environments get public names */
  servicesZone: string;
}

export interface PutHostname {
  /** The IPv4 address of the environment's ingress; not a loopback, link-local, unspecified, multicast or reserved one */
  targetIp: string;
}

export interface Role {
  /** Assigned by the service */
  roleId: string;
  /** Unique in the tenant */
  name: string;
}

export interface RoleDetails {
  /** Assigned by the service */
  roleId: string;
  /** Unique in the tenant */
  name: string;
  /** Its rules: each request that one of them matches is permitted */
  permissions: Permission[];
}

export interface SetUserSubject {
  /** The OIDC issuer of the subject; may be left out if only one serves the tenant */
  issuer?: string;
  /** The issuer's name for the user; it replaces an earlier one of the same issuer */
  subject: string;
}

export interface UpdateUserStatus {
  /** DISABLED refuses the user from the next request on, ACTIVE serves the user again */
  status: 'ACTIVE' | 'DISABLED';
}

export interface User {
  /** Assigned by the service */
  userId: string;
  /** The tenant that the user belongs to */
  tenantId: string;
  /** Unique in the tenant */
  username: string;
  /** When the user was disabled, RFC 3339 UTC */
  disabledAt?: string;
}

export interface Whoami {
  /** The caller's tenant */
  tenantId: string;
  /** The caller's platform user id */
  userId: string;
  /** Name within the tenant */
  username: string;
  /** Names of the roles held */
  roles: string[];
  /** The OIDC issuer */
  issuer: string;
  /** The subject that the identity provider presented */
  subject: string;
}

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
 * Show the caller as the platform knows it. `GET /v1/whoami`
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
 * Remove an environment's public names. `DELETE /v1/environments/{environment_id}/hostname`
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
 * Enrol a user, who can sign in if a subject is given. `POST /v1/users`
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
 * Disable or enable a user; refused if no user could grant roles afterwards. `PATCH /v1/users/{user_id}/status`
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
 * Set the subject of an issuer by which a user signs in. `PUT /v1/users/{user_id}/subject`
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
 * Grant a role to a user. `POST /v1/users/{user_id}/roles`
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
 * Revoke a role; refused if no user could grant roles afterwards. `DELETE /v1/users/{user_id}/roles/{role_id}`
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
 * Define a role by its permissions. `POST /v1/roles`
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
