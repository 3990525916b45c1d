import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined, ROUTES, type ServiceName, SERVICES } from '@plat/contracts/core';
import { applyDirectory, LOGIN_ROLES } from '@plat/database';
import {
  buildService,
  claimsOf,
  createTestDatabase,
  deployedEnvironment,
  type ServiceProcess,
  startService,
  testDirectory,
  type TestService,
  type TestUser,
  TokenIssuer,
} from '@plat/testing';

/** The base address of each service, without a slash at the end. */
export type ServiceAddresses = Record<ServiceName, string>;

/** The five services as they are deployed: processes of their own with logins of their own, over one database. */
export interface FiveProcesses extends Omit<TestService, 'logged'> {
  addresses: ServiceAddresses;
  /** Each service's process, for tests that end one. */
  processes: Record<ServiceName, ServiceProcess>;
}

/** A proxy before the services that routes to them by path. */
export interface Edge {
  url: string;
  stop(): Promise<void>;
}

/**
 * Builds and starts the five services with what the chart renders for them.
 *
 * @param startEdge what requests go through; default: nothing, each request goes to the service that the route table
 *   names
 * @param variables more variables of each service
 */
export async function startFiveProcesses(
  startEdge?: (addresses: ServiceAddresses) => Promise<Edge>,
  variables: Record<string, string> = {},
): Promise<FiveProcesses> {
  const [database, issuer] = await Promise.all([createTestDatabase(), TokenIssuer.start()]);
  await applyDirectory(database.ownerUrl, testDirectory(issuer.url));
  const folder = await mkdtemp(join(tmpdir(), 'plat-five-'));
  const deployed = await deployedEnvironment(folder, (name) => database.url(LOGIN_ROLES[name]));
  const entries = await Promise.all(
    SERVICES.map(async (name) => {
      await buildService(name);
      const settings = {
        ...deployed[name],
        LOG_LEVEL: 'info',
        VERIFIER_ALLOW_LOCAL: 'true',
        ...variables,
      };
      return [name, await startService(name, settings)] as const;
    }),
  );
  const processes = Object.fromEntries(entries) as Record<ServiceName, ServiceProcess>;
  const addresses = Object.fromEntries(entries.map(([name, { url }]) => [name, url])) as ServiceAddresses;
  const edge = await startEdge?.(addresses);
  const bearer = async (user: TestUser) => `Bearer ${await issuer.token(claimsOf(user))}`;
  return {
    url: edge?.url ?? addresses.platform,
    addresses,
    processes,
    database,
    issuer,
    bearer,
    send: async (user, line, body) => {
      const [method, path] = line.split(' ') as [string, string];
      const response = await fetch((edge?.url ?? addresses[serviceOf(method, path)]) + path, {
        method,
        headers: defined({
          authorization: await bearer(user),
          'content-type': body === undefined ? undefined : 'application/json',
        }),
        body: JSON.stringify(body),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
    stop: async () => {
      await edge?.stop();
      for (const { child } of Object.values(processes)) child.kill('SIGTERM');
      await Promise.all(Object.values(processes).map(({ exited }) => exited));
      await Promise.all([issuer.stop(), database.drop(), rm(folder, { recursive: true })]);
    },
  };
}

/** The service of a request, by the route table. A template without an id wins over one with an id in its place. */
function serviceOf(method: string, path: string): ServiceName {
  const [pathname] = path.split('?') as [string];
  const matching = Object.values(ROUTES)
    .filter(({ method: its, template }) => its === method && patternOf(template).test(pathname))
    .sort((one, other) => one.template.split('{').length - other.template.split('{').length);
  if (!matching[0]) throw new Error(`The route table has no ${method} ${pathname}.`);
  return matching[0].service;
}

const patternOf = (template: string) => new RegExp(`^${template.replace(/\{[a-z_]+\}/g, '[^/]+')}$`);
