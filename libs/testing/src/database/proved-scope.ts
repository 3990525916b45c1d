import type { TenantScope } from '@plat/database';
import { TEST_TENANTS, TEST_USERS, type TestUser } from '../directory/test-directory';
import type { TestDatabase } from './test-database';

/** The claims of a user's token that a proof depends on. */
export interface TestCaller {
  issuer?: string;
  subject?: string;
  organization?: string;
}

/** The scope of a user of the test directory, with a proof that identity has sealed. */
export async function proveScope(
  database: Pick<TestDatabase, 'query'>,
  user: TestUser,
  { issuer, subject, organization }: TestCaller = {},
): Promise<TenantScope> {
  const { tenant, userId } = TEST_USERS[user];
  const { tenantId } = TEST_TENANTS[tenant];
  const [row] = await database.query<{ proof: string }>(
    'SELECT identity.issue_proof($1, $2, identity.caller_digest($3, $4, $5)) AS proof',
    [tenantId, userId, issuer ?? null, subject ?? null, organization ?? null],
  );
  return { tenantId, userId, proof: row!.proof, acrossTenants: false };
}
