import { BACKUP_ROLE, LOGIN_ROLES } from '@plat/database';

/** The variable that holds a login role's password: PLAT_REVIEWS_PASSWORD for plat_reviews. */
export const passwordVariable = (role: string): string => `${role.toUpperCase()}_PASSWORD`;

/**
 * The passwords of the services' login roles and of the role for backups, by role, from the environment. Roles whose variable is unset keep theirs.
 *
 * @throws Error naming the variables when none of them is set
 */
export function loginPasswords(environment: Record<string, string | undefined>): Record<string, string> {
  const roles = [...Object.values(LOGIN_ROLES), BACKUP_ROLE];
  const given = roles.flatMap((role): [string, string][] => {
    const password = environment[passwordVariable(role)];
    return password ? [[role, password]] : [];
  });
  if (given.length === 0) throw new Error(`Set at least one of ${roles.map(passwordVariable).join(', ')}.`);
  return Object.fromEntries(given);
}
