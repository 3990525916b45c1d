import { type EnvironmentName, namespaceOf } from '@plat/environments';
import { type EnvironmentSession, readEnvironmentSession } from './environment-session';
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
  return session !== undefined && endSession(session);
}

/** The line of a dry run; none without a session of the environment's own. */
export async function planRevocation(configFolder: string, name: EnvironmentName): Promise<string[]> {
  const session = await readEnvironmentSession(configFolder, name);
  if (session === undefined || session.isShared === true) return [];
  return [`identity provider: the session of ${namespaceOf(name)} ends at ${session.alias.issuer}`];
}

/** Asks the provider to end this session, unless it is shared. @returns whether the provider confirmed it */
export async function endSession({ alias, refreshToken, isShared }: EnvironmentSession): Promise<boolean> {
  return isShared !== true && revoke(alias, refreshToken);
}
