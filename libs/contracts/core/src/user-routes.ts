import { route, type RouteEntry } from './route-entry';

/** The routes of users and roles, a part of the route table. Rule E6. */
export const USER_ROUTES = {
  listUsers: route('platform', 'GET /v1/users', {
    status: 200,
    summary: 'List the users of the tenant by name',
    codes: [],
  }),
  createUser: route('platform', 'POST /v1/users', {
    status: 201,
    summary: 'Enrol a user, who can sign in if a subject is given',
    codes: ['INVALID_BODY', 'NOT_FOUND', 'CONFLICT'],
  }),
  updateUserStatus: route('platform', 'PATCH /v1/users/{user_id}/status', {
    status: 200,
    summary: 'Disable or enable a user; refused if no user could grant roles afterwards',
    codes: ['INVALID_PATH_ID', 'INVALID_BODY', 'NOT_FOUND', 'CONFLICT'],
  }),
  setUserSubject: route('platform', 'PUT /v1/users/{user_id}/subject', {
    status: 200,
    summary: 'Set the subject of an issuer by which a user signs in',
    codes: ['INVALID_PATH_ID', 'INVALID_BODY', 'NOT_FOUND', 'CONFLICT'],
  }),
  listUserRoles: route('platform', 'GET /v1/users/{user_id}/roles', {
    status: 200,
    summary: 'List the roles that a user holds',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
  }),
  grantRole: route('platform', 'POST /v1/users/{user_id}/roles', {
    status: 201,
    summary: 'Grant a role to a user',
    codes: ['INVALID_PATH_ID', 'INVALID_BODY', 'NOT_FOUND', 'CONFLICT'],
  }),
  revokeRole: route('platform', 'DELETE /v1/users/{user_id}/roles/{role_id}', {
    status: 204,
    summary: 'Revoke a role; refused if no user could grant roles afterwards',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND', 'CONFLICT'],
  }),
  listRoles: route('platform', 'GET /v1/roles', {
    status: 200,
    summary: 'List the roles of the tenant by name',
    codes: [],
  }),
  getRole: route('platform', 'GET /v1/roles/{role_id}', {
    status: 200,
    summary: 'Show what a role permits',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
  }),
  createRole: route('platform', 'POST /v1/roles', {
    status: 201,
    summary: 'Define a role by its permissions',
    codes: ['INVALID_BODY', 'CONFLICT'],
  }),
} as const satisfies Record<string, RouteEntry>;
