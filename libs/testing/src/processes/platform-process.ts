import { once } from 'node:events';
import { applyDirectory, LOGIN_ROLES } from '@plat/database';
import { createTestDatabase } from '../database/test-database';
import { claimsOf, testDirectory, type TestUser } from '../directory/test-directory';
import { TokenIssuer } from '../issuer/token-issuer';
import type { NameServerPeer } from '../name-servers/name-server-peer';
import { buildService, startService } from './service-process';

/** The platform service as it is deployed, with the test directory, over a name server that takes its UPDATEs. */
export interface PlatformProcess {
  /** Base address, without a slash at the end. */
  url: string;
  /** An access token of a user of the test directory. */
  token(user: TestUser): Promise<string>;
  stop(): Promise<void>;
}

/** Builds and starts the service. */
export async function startPlatformProcess(names: NameServerPeer): Promise<PlatformProcess> {
  const [database, issuer] = await Promise.all([
    createTestDatabase(),
    TokenIssuer.start(),
    buildService('platform'),
  ]);
  await applyDirectory(database.ownerUrl, testDirectory(issuer.url));
  const { child, url } = await startService('platform', {
    DATABASE_URL: database.url(LOGIN_ROLES.platform),
    PLATFORM_ISSUER: issuer.url,
    PLATFORM_CLI_CLIENT_ID: 'plat-cli',
    PLATFORM_SERVICES_ZONE: names.zone,
    DNS_SERVER: `${names.host}:${names.port}`,
    DNS_TSIG_NAME: names.key.name,
    DNS_TSIG_ALGORITHM: names.key.algorithm,
    DNS_TSIG_SECRET: names.key.secret,
  });
  return {
    url,
    token: (user) => issuer.token(claimsOf(user)),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await Promise.all([issuer.stop(), database.drop()]);
    },
  };
}
