import { ROUTES } from '@plat/contracts/core';
import type { Directory } from '@plat/database';
import { TEST_AUDIENCE } from '../issuer/token-issuer';

/** The claim by which the test issuer's tokens name their organisation. */
export const ORGANIZATION_CLAIM = 'org';

/** The tenants of the test directory, by name. */
export const TEST_TENANTS = {
  acme: { tenantId: '00000000-0000-7000-8000-0000000000a0', organization: 'org-acme' },
  globex: { tenantId: '00000000-0000-7000-8000-0000000000b0', organization: 'org-globex' },
  /** The operations tenant. */
  ops: { tenantId: '00000000-0000-7000-8000-0000000000c0', organization: 'org-ops' },
} as const;

export type TestTenant = keyof typeof TEST_TENANTS;

interface TestUserEntry {
  tenant: TestTenant;
  userId: string;
  roles: readonly string[];
}

/** The users of the test directory, by name. */
export const TEST_USERS = {
  alice: { tenant: 'acme', userId: '00000000-0000-7000-8000-0000000000a1', roles: ['TenantAdmin'] },
  bob: { tenant: 'acme', userId: '00000000-0000-7000-8000-0000000000a2', roles: ['TenantUser'] },
  ci: { tenant: 'acme', userId: '00000000-0000-7000-8000-0000000000a3', roles: ['TenantAgent'] },
  /** Reads, and advances without override-advance. */
  carol: { tenant: 'acme', userId: '00000000-0000-7000-8000-0000000000a4', roles: ['Advancer'] },
  /** Enrolled, with no role at all. */
  dave: { tenant: 'acme', userId: '00000000-0000-7000-8000-0000000000a5', roles: [] },
  mallory: { tenant: 'globex', userId: '00000000-0000-7000-8000-0000000000b1', roles: ['TenantAdmin'] },
  olga: { tenant: 'ops', userId: '00000000-0000-7000-8000-0000000000c1', roles: ['ReadAll', 'WriteAll'] },
} as const satisfies Record<string, TestUserEntry>;

export type TestUser = keyof typeof TEST_USERS;

/** The environments of the test directory, as `tenant/name`. */
export const TEST_ENVIRONMENTS = {
  'acme/dev': '00000000-0000-7000-8000-0000000000e1',
  'globex/dev': '00000000-0000-7000-8000-0000000000e2',
} as const;

/**
 * A small directory for tests: the tenants, users and environments above, all vouched for by one shared issuer.
 *
 * @param issuerUrl the `iss` claim of that issuer's tokens.
 */
export function testDirectory(issuerUrl: string): Directory {
  const { method, template } = ROUTES.advanceMergeQueue;
  return {
    tenants: entries(TEST_TENANTS).map(([name, { tenantId }]) => ({
      name,
      id: tenantId,
      kind: name === 'ops' ? 'operations' : 'company',
    })),
    issuers: [
      {
        name: 'shared',
        url: issuerUrl,
        audience: TEST_AUDIENCE,
        organizationClaim: ORGANIZATION_CLAIM,
        organizations: Object.fromEntries(
          entries(TEST_TENANTS).map(([name, { organization }]) => [organization, name]),
        ),
      },
    ],
    roles: [
      {
        tenant: 'acme',
        name: 'Advancer',
        permissions: [
          { apiMethodPattern: 'GET', apiPathPattern: '/v1/.*' },
          { apiMethod: method, apiPath: template },
        ],
      },
    ],
    users: entries(TEST_USERS).map(([username, { tenant, userId, roles }]) => ({
      tenant,
      username,
      id: userId,
      issuer: 'shared',
      subject: subjectOf(username),
      roles: [...roles],
    })),
    environments: entries(TEST_ENVIRONMENTS).map(([path, id]) => {
      const [tenant = '', name = ''] = path.split('/');
      return { tenant, name, type: 'local-agent', id };
    }),
  };
}

/** The claims that make a token of the shared issuer speak for this user: `issuer.token(claimsOf('alice'))`. */
export function claimsOf(user: TestUser): { sub: string; [ORGANIZATION_CLAIM]: string } {
  return { sub: subjectOf(user), [ORGANIZATION_CLAIM]: TEST_TENANTS[TEST_USERS[user].tenant].organization };
}

function subjectOf(user: TestUser): string {
  return `subject-of-${user}`;
}

function entries<Name extends string, Value>(record: Record<Name, Value>): [Name, Value][] {
  return Object.entries(record) as [Name, Value][];
}
