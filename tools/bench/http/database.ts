import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ServiceName } from '@plat/contracts/core';
import { applyDirectory, LOGIN_ROLES, migrate, schemaSource, setLoginPasswords } from '@plat/database';
import { startCluster } from '@plat/embedded';
import { testDirectory } from '@plat/testing';

/** A database for the benchmark. It is durable, so that a commit costs as much as in production. */
export interface BenchDatabase {
  ownerUrl: string;
  /** Connection URL of a service's own login. */
  loginUrl(service: ServiceName): string;
  stop(): Promise<void>;
}

/** Starts PostgreSQL in a folder, migrates, and adds the services' logins and the users of the test directory. */
export async function startDatabase(folder: string, root: string, issuerUrl: string): Promise<BenchDatabase> {
  const cluster = await startCluster({
    dataDir: join(folder, 'postgres'),
    durable: true,
  });
  try {
    const ownerUrl = cluster.url();
    await migrate(ownerUrl, schemaSource(root));
    const password = randomBytes(24).toString('base64url');
    await setLoginPasswords(
      ownerUrl,
      Object.fromEntries(Object.values(LOGIN_ROLES).map((role) => [role, password])),
    );
    await applyDirectory(ownerUrl, testDirectory(issuerUrl));
    const loginUrl = (service: ServiceName): string =>
      Object.assign(new URL(ownerUrl), { username: LOGIN_ROLES[service], password }).href;
    return { ownerUrl, loginUrl, stop: () => cluster.stop() };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
