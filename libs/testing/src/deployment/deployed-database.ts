import { type ServiceName } from '@plat/contracts/core';
import { applyDirectory, LOGIN_ROLES, setLoginPasswords } from '@plat/database';
import { LOGIN_PASSWORD } from '../database/login-password';
import { testDirectory } from '../directory/test-directory';

/**
 * Makes a database ready for services: the schema, the passwords of their logins, and the test directory.
 *
 * @param migrate makes the schema
 */
export async function prepareDatabase(
  ownerUrl: string,
  issuerUrl: string,
  migrate: (ownerUrl: string) => Promise<unknown>,
): Promise<void> {
  await migrate(ownerUrl);
  const logins = Object.values(LOGIN_ROLES).map((role) => [role, LOGIN_PASSWORD]);
  await setLoginPasswords(ownerUrl, Object.fromEntries(logins));
  await applyDirectory(ownerUrl, testDirectory(issuerUrl));
}

/** What a service reads so that it uses a prepared database at a port of 127.0.0.1, and an issuer there. */
export const deployedEnvironment = (service: ServiceName, port: number): Record<string, string> => ({
  DATABASE_URL: `postgres://${LOGIN_ROLES[service]}:${LOGIN_PASSWORD}@127.0.0.1:${port}/postgres`,
  ALLOW_HTTP_ISSUERS: 'true',
  LOG_LEVEL: 'error',
});
