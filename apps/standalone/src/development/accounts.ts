import type { Directory } from '@plat/database';
import type { IssuerAccount } from '../issuer/issuer-account';

/** An account of the ready file. Ids are absent if the directory does not know the person. */
export interface DevelopmentAccount extends IssuerAccount {
  home: 'shared' | 'solo';
  tenant?: string;
  tenantId?: string;
  userId?: string;
  roles: readonly string[];
}

/** Everybody who can sign in: the directory's users, and two people who are not in it. */
export function developmentAccounts(directory: Directory): DevelopmentAccount[] {
  return [...directory.users.map((user) => enrolled(user, directory)), stranger(directory), LOST];
}

function enrolled(user: Directory['users'][number], { tenants, issuers }: Directory): DevelopmentAccount {
  const { username: name, subject, tenant, roles } = user;
  const tenantId = tenants.find((candidate) => candidate.name === tenant)?.id;
  const organizations = issuers.find((candidate) => candidate.name === user.issuer)?.organizations ?? {};
  const org = Object.keys(organizations).find((organization) => organizations[organization] === tenant);
  return {
    name,
    subject,
    home: user.issuer === 'solo' ? 'solo' : 'shared',
    description: `${tenant} · ${roles.join(', ') || 'no role'}`,
    tenant,
    roles,
    tenantId,
    userId: user.id,
    org,
  };
}

/** The bearer of a valid token of acme's organization who is not enrolled. */
function stranger({ tenants }: Directory): DevelopmentAccount {
  const tenantId = tenants.find(({ name }) => name === 'acme')?.id;
  return {
    name: 'stranger',
    subject: 'dev-stranger',
    home: 'shared',
    description: 'acme · not enrolled',
    tenant: 'acme',
    org: 'acme',
    roles: [],
    tenantId,
  };
}

/** The bearer of a valid token whose organization belongs to no tenant. */
const LOST: DevelopmentAccount = {
  name: 'lost',
  subject: 'dev-lost',
  home: 'shared',
  description: 'an organization that is no tenant',
  org: 'nowhere',
  roles: [],
};
