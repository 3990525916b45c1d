import type { EnvironmentName } from '@plat/environments';
import { readEnvironmentSession } from './environment-session';
import { revoke } from './sign-out';

/**
 * Asks the identity provider to end the session of an environment, best effort. One that this machine shares stays.
 *
 * @returns whether the provider confirmed it
 */
export async function revokeEnvironmentSession(
  configFolder: string,
  name: EnvironmentName,
): Promise<boolean> {
  const session = await readEnvironmentSession(configFolder, name);
  if (session === undefined || session.isShared === true) return false;
  return revoke(session.alias, session.refreshToken);
}
