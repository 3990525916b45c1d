import { LOGIN_ROLES } from '@plat/database';
import { parse } from 'yaml';

/**
 * Reads a file of login roles and their passwords.
 *
 * @throws Error naming every entry that is no login role of ours or has no password; never a password
 */
export function parseLogins(yamlText: string): Record<string, string> {
  const logins: unknown = parse(yamlText);
  if (typeof logins !== 'object' || logins === null || Array.isArray(logins)) {
    throw new Error('The file must be a mapping from role name to password.');
  }
  const roles = Object.values(LOGIN_ROLES);
  const entries: [string, unknown][] = Object.entries(logins);
  const faults = entries.flatMap(([role, password]) => {
    if (!roles.includes(role)) return [`${role} is none of ${roles.join(', ')}`];
    return typeof password === 'string' && password !== '' ? [] : [`${role} has no password`];
  });
  if (faults.length > 0) throw new Error(`The logins cannot be set: ${faults.join('; ')}.`);
  return Object.fromEntries(entries.map(([role, password]) => [role, String(password)]));
}
