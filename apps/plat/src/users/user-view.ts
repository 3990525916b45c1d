import type { Role, User } from '@plat/api-client';
import type { Table } from '../terminal/table';

/** Users, one a line, with when each was disabled. */
export function userTable(users: readonly User[]): Table {
  return {
    columns: [{ title: 'USER', as: 'id' }, 'NAME', { title: 'DISABLED', as: 'time' }],
    rows: users.map(({ userId, username, disabledAt }) => [userId, username, disabledAt]),
    whenEmpty: 'Your tenant has no such users.',
  };
}

/** The roles that a user holds, one a line. */
export function roleTable(roles: readonly Role[]): Table {
  return {
    columns: [{ title: 'ROLE', as: 'id' }, 'NAME'],
    rows: roles.map(({ roleId, name }) => [roleId, name]),
    whenEmpty: 'The user holds no role, and may do nothing.',
  };
}
