import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { ServiceName } from '@plat/contracts/core';
import { restoreLoginSettings } from './login-settings';

/** The login role of each service. */
export const LOGIN_ROLES: Readonly<Record<ServiceName, string>> = {
  reviews: 'plat_reviews',
  builds: 'plat_builds',
  releases: 'plat_releases',
  audit: 'plat_audit',
  platform: 'plat_platform',
};

const SCRAM_ITERATIONS = 4096;

/**
 * The verifier that PostgreSQL stores for a password (RFC 5803). It is computed here, so that no statement, and hence no
 * log of the server, ever holds the password.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, SCRAM_ITERATIONS, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/**
 * Sets the passwords of login roles, by role name, as the database's owner, and undoes what a service's login has set for
 * itself. Roles are shared by the whole cluster.
 */
export async function setLoginPasswords(ownerUrl: string, passwords: Record<string, string>): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (const [role, password] of Object.entries(passwords)) {
      const statement = `ALTER ROLE ${client.escapeIdentifier(role)} PASSWORD ${client.escapeLiteral(scramVerifier(password))}`;
      await client.query(statement);
      if (Object.values(LOGIN_ROLES).includes(role)) await restoreLoginSettings(client, role);
    }
  } finally {
    await client.end();
  }
}
