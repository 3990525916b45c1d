import { type Directory, organizationsOf } from './directory';

/** The faults of a directory's names: declared twice, referring to nothing, or resolving to no tenant or two. */
export function findNameFaults(directory: Directory): string[] {
  return [
    ...repeatedNames(directory),
    ...issuerFaults(directory),
    ...strayTenants(directory),
    ...userFaults(directory),
  ];
}

function repeatedNames({ tenants, issuers, roles, users, environments }: Directory): string[] {
  const ofTenant = ({ tenant }: { tenant: string }, name: string) => `${tenant}/${name}`;
  return [
    ...twice(
      'tenant',
      tenants.map(({ name }) => name),
    ),
    ...twice(
      'issuer',
      issuers.map(({ name }) => name),
    ),
    ...twice(
      'issuer url',
      issuers.map(({ url }) => url),
    ),
    ...twice(
      'role',
      roles.map((role) => ofTenant(role, role.name)),
    ),
    ...twice(
      'user',
      users.map((user) => ofTenant(user, user.username)),
    ),
    ...twice(
      'subject',
      users.map((user) => ofTenant(user, `${user.subject} of ${user.issuer}`)),
    ),
    ...twice(
      'environment',
      environments.map((environment) => ofTenant(environment, environment.name)),
    ),
  ];
}

function twice(what: string, names: string[]): string[] {
  const repeated = names.filter((name, place) => names.indexOf(name) !== place);
  return [...new Set(repeated)].map((name) => `${what} ${name} is declared twice`);
}

function issuerFaults({ issuers }: Directory): string[] {
  return issuers.flatMap(({ name, tenant, organizationClaim, organizations }) => {
    if ((tenant === undefined) === (organizationClaim === undefined)) {
      return [`issuer ${name} must have either a tenant or an organizationClaim`];
    }
    return tenant !== undefined && organizations !== undefined
      ? [`issuer ${name} has organizations, but a single tenant`]
      : [];
  });
}

function strayTenants({ tenants, issuers, roles, users, environments }: Directory): string[] {
  const declared = new Set(tenants.map(({ name }) => name));
  const named = [
    ...issuers.flatMap((issuer) => tenantsOf(issuer).map((tenant) => [`issuer ${issuer.name}`, tenant])),
    ...roles.map(({ name, tenant }) => [`role ${name}`, tenant]),
    ...users.map(({ username, tenant }) => [`user ${username}`, tenant]),
    ...environments.map(({ name, tenant }) => [`environment ${name}`, tenant]),
  ] as [string, string][];
  return named
    .filter(([, tenant]) => !declared.has(tenant))
    .map(([place, tenant]) => `${place} names the tenant ${tenant}, which the file does not declare`);
}

function userFaults({ issuers, users }: Directory): string[] {
  return users.flatMap(({ username, issuer: name, tenant, state }) => {
    const issuer = issuers.find((candidate) => candidate.name === name);
    if (!issuer) return [`user ${username} names the issuer ${name}, which the file does not declare`];
    // A removed user needs no issuer.
    if (state === 'removed') return [];
    if (issuer.state === 'removed') {
      return [`user ${username} names the issuer ${name}, which the file removes`];
    }
    return tenantsOf(issuer).includes(tenant)
      ? []
      : [`user ${username} names the issuer ${name}, which never speaks for ${tenant}`];
  });
}

/** The tenants that an issuer's tokens may speak for. */
function tenantsOf(issuer: Directory['issuers'][number]): string[] {
  return issuer.tenant === undefined ? organizationsOf(issuer).map(({ tenant }) => tenant) : [issuer.tenant];
}
