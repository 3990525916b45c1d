import { type Directory, parseDirectory } from '@plat/database';
import { ORG_CLAIM } from '../issuer/issuer-account';

export interface DirectoryAddresses {
  /** The org-scoped issuer's identifier. */
  issuer: string;
  /** The single-tenant issuer's identifier. */
  soloIssuer: string;
  /** The `aud` of the API's tokens. */
  audience: string;
}

/**
 * The directory of the service on one machine. Ids are fixed, so that every data directory has the same people; the
 * issuers' addresses depend on the port.
 */
export function developmentDirectory({ issuer, soloIssuer, audience }: DirectoryAddresses): Directory {
  return parseDirectory(`
tenants:
  - { name: acme, id: 01920000-0000-7000-8000-00000000a001 }
  - { name: globex, id: 01920000-0000-7000-8000-00000000a002 }
  - { name: ops, kind: operations, id: 01920000-0000-7000-8000-00000000a003 }
  - { name: solo, id: 01920000-0000-7000-8000-00000000a004 }

issuers:
  - name: shared
    url: ${issuer}
    audience: ${audience}
    organizationClaim: ${ORG_CLAIM}
    organizations: { acme: acme, globex: globex, ops: ops }
  - name: solo
    url: ${soloIssuer}
    audience: ${audience}
    tenant: solo

roles:
  # Reads everything and promotes the head of a queue, but may not skip open threads.
  - tenant: acme
    name: Promoter
    permissions:
      - { apiMethodPattern: GET, apiPathPattern: '/v1/.*' }
      - { apiMethod: POST, apiPath: /v1/reviews/merge-queue/advance }

users:
  - { tenant: acme, username: alice, issuer: shared, subject: dev-alice, roles: [TenantAdmin], id: 01920000-0000-7000-8000-00000000b001 }
  - { tenant: acme, username: bob, issuer: shared, subject: dev-bob, roles: [TenantUser], id: 01920000-0000-7000-8000-00000000b002 }
  - { tenant: acme, username: ci, issuer: shared, subject: dev-ci, roles: [TenantAgent], id: 01920000-0000-7000-8000-00000000b003 }
  - { tenant: acme, username: carol, issuer: shared, subject: dev-carol, roles: [Promoter], id: 01920000-0000-7000-8000-00000000b004 }
  - { tenant: acme, username: dave, issuer: shared, subject: dev-dave, roles: [], id: 01920000-0000-7000-8000-00000000b005 }
  - { tenant: globex, username: mallory, issuer: shared, subject: dev-mallory, roles: [TenantAdmin], id: 01920000-0000-7000-8000-00000000b006 }
  - { tenant: ops, username: olga, issuer: shared, subject: dev-olga, roles: [ReadAll, WriteAll], id: 01920000-0000-7000-8000-00000000b007 }
  - { tenant: solo, username: sam, issuer: solo, subject: dev-sam, roles: [TenantAdmin], id: 01920000-0000-7000-8000-00000000b008 }

environments:
  - { tenant: acme, name: dev, type: local-agent, id: 01920000-0000-7000-8000-00000000c001 }
  - { tenant: globex, name: dev, type: local-agent, id: 01920000-0000-7000-8000-00000000c002 }
`);
}
