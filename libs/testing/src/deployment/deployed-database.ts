import { join } from 'node:path';
import { type ServiceName, SERVICES } from '@plat/contracts/core';
import { applyDirectory, LOGIN_ROLES, setLoginPasswords } from '@plat/database';
import { LOGIN_PASSWORD } from '../database/login-password';
import { testDirectory } from '../directory/test-directory';
import { newSigningKey } from '../service/signing-key';
import { chartObject, makeLocal } from './chart-pod';

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

type Variables = Record<string, string>;

/** The variables that each service reads from its environment. */
export type DeployedEnvironment = Readonly<Record<ServiceName, Variables>>;

/** The address of a prepared database at a port of 127.0.0.1, for a service. */
export const deployedUrl = (service: ServiceName, port: number): string =>
  `postgres://${LOGIN_ROLES[service]}:${LOGIN_PASSWORD}@127.0.0.1:${port}/postgres`;

/**
 * The variables of the services as the chart renders them, with the files that they name. Other than in a cluster are the
 * address of the database, the port, and that issuers may be on plain http.
 *
 * @param folder an existing one, which gets the files
 */
export async function readDeployedEnvironment(
  folder: string,
  databaseUrl: (service: ServiceName) => string,
): Promise<DeployedEnvironment> {
  const entries = SERVICES.map(async (service): Promise<[ServiceName, Variables]> => {
    const { spec } = chartObject('Deployment', `plat-${service}`).spec.template;
    const contents = { DATABASE_URL: databaseUrl(service), ...SIGNING_KEYS };
    const { environment } = await makeLocal(spec, service, { folder: join(folder, service), contents });
    const { PORT: _ofTheCluster, ...variables } = environment;
    return [service, { ...variables, ALLOW_HTTP_ISSUERS: 'true', LOG_LEVEL: 'error' }];
  });
  return Object.fromEntries(await Promise.all(entries)) as DeployedEnvironment;
}

const SIGNING_KEYS = { MERGE_RECEIPT_KEY: newSigningKey(), LEDGER_KEY: newSigningKey() };
