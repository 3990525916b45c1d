import { DirectoryError, parseDirectory } from './parse-directory';

const WHOLE = `
tenants:
  - { name: acme }
  - { name: ops, kind: operations, id: 00000000-0000-7000-8000-0000000000c0 }
issuers:
  - { name: shared, url: "https://id.example", audience: plat, organizationClaim: org, organizations: { o-1: acme } }
  - { name: own, url: "http://localhost:8080/ops/", audience: plat, tenant: ops }
roles:
  - { tenant: acme, name: Advancer, permissions: [{ apiMethod: POST, apiPath: /v1/reviews/merge-queue/advance }] }
users:
  - { tenant: acme, username: alice, issuer: shared, subject: s-1, roles: [TenantAdmin, Advancer] }
environments:
  - { tenant: acme, name: dev, type: local-agent }
`;

const faultsOf = (yamlText: string): string[] => {
  try {
    parseDirectory(yamlText);
  } catch (error) {
    if (error instanceof DirectoryError) return error.faults;
    throw error;
  }
  return [];
};

describe('a directory file', () => {
  it('declares tenants, issuers, roles, users and environments', () => {
    const directory = parseDirectory(WHOLE);
    expect(directory.tenants).toMatchObject([{ name: 'acme', kind: 'company' }, { kind: 'operations' }]);
    expect(directory.users).toMatchObject([{ username: 'alice', roles: ['TenantAdmin', 'Advancer'] }]);
  });

  it('may leave a section out', () => {
    expect(parseDirectory('tenants: [{ name: acme }]')).toMatchObject({ issuers: [], users: [] });
  });

  it.each([
    ['nothing', '', 'must be a mapping'],
    ['a list', '- acme', 'must be a mapping'],
    ['no YAML', 'tenants: [', 'Flow sequence'],
    ['an unknown section', 'tenant: []', 'tenant should not exist'],
    ['an unknown field', 'tenants: [{ name: acme, colour: red }]', 'colour should not exist'],
    ['a section that is no list', 'tenants: acme', 'tenants'],
    ['a tenant that is text', 'tenants: [acme]', 'tenants'],
    ['a tenant without name', 'tenants: [{}]', 'name must match'],
    ['a tenant name with a dot', 'tenants: [{ name: a.b }]', 'name must match'],
    ['an unknown kind', 'tenants: [{ name: acme, kind: big }]', 'kind must be one of'],
    ['an id that is none', 'tenants: [{ name: acme, id: 7 }]', 'id must be a UUID'],
    ['an issuer that is no URL', WHOLE.replace('https://id.example', 'id'), 'url must be a URL'],
    [
      'an issuer of both kinds',
      WHOLE.replace('tenant: ops }', 'tenant: ops, organizationClaim: x }'),
      'either a tenant or',
    ],
    [
      'an empty list of audiences',
      WHOLE.replace('audience: plat, org', 'audience: [], org'),
      'audience must be',
    ],
    ['an audience twice', WHOLE.replace('audience: plat, org', 'audience: [a, a], org'), 'audience must be'],
    [
      'an audience that is no text',
      WHOLE.replace('audience: plat, org', 'audience: [a, 7], org'),
      'audience must be',
    ],
    ['an empty audience', WHOLE.replace('audience: plat, org', 'audience: "", org'), 'audience must be'],
    ['an issuer without audience', WHOLE.replace('audience: plat, org', 'org'), 'audience must be'],
    ['an issuer of no kind', WHOLE.replace(', tenant: ops }', ' }'), 'either a tenant or'],
    ['an organisation of no tenant', WHOLE.replace('o-1: acme', 'o-1: nowhere'), 'the tenant nowhere'],
    [
      'a tenant that is to be removed',
      WHOLE.replace('{ name: acme', '{ state: removed, name: acme'),
      'delete-tenant',
    ],
    [
      'an organisation of no state',
      WHOLE.replace('o-1: acme', 'o-1: { tenant: acme, state: gone }'),
      'active, disabled, removed',
    ],
    [
      'a user of an issuer that the file removes',
      WHOLE.replace('{ name: shared', '{ state: removed, name: shared'),
      'which the file removes',
    ],
    ['an organisation that is no text', WHOLE.replace('o-1: acme', 'o-1: [acme]'), 'organizations'],
    [
      'a role of no tenant',
      WHOLE.replace('- { tenant: acme, name: Adv', '- { tenant: x, name: Adv'),
      'the tenant x',
    ],
    ['a rule of half a pair', WHOLE.replace('apiMethod: POST, ', ''), 'permissions'],
    [
      'a rule of both pairs',
      WHOLE.replace('apiMethod: POST,', 'apiMethod: POST, apiMethodPattern: X,'),
      'permissions',
    ],
    ['a rule that is text', WHOLE.replace(/permissions: \[.*\]/, 'permissions: [all]'), 'permissions'],
    ['a rule with an unknown field', WHOLE.replace('apiMethod: POST', 'verb: POST'), 'permissions'],
    [
      'a pattern that cannot be read',
      WHOLE.replace(/\[\{ apiM.*\}\]/, '[{ apiMethodPattern: ".*", apiPathPattern: "(" }]'),
      'permissions',
    ],
    ['a user of no tenant', WHOLE.replace('tenant: acme, username', 'tenant: x, username'), 'the tenant x'],
    ['a user of no issuer', WHOLE.replace('issuer: shared', 'issuer: y'), 'the issuer y'],
    [
      'a user whose issuer never speaks for the tenant',
      WHOLE.replace('issuer: shared', 'issuer: own'),
      'own, which never speaks for',
    ],
    ['a role that is no text', WHOLE.replace('[TenantAdmin, Advancer]', '[7]'), 'roles'],
    ['a role twice', WHOLE.replace('[TenantAdmin, Advancer]', '[A, A]'), 'roles'],
    [
      'an environment of no tenant',
      WHOLE.replace('tenant: acme, name: dev', 'tenant: x, name: dev'),
      'the tenant x',
    ],
    ['an unknown type', WHOLE.replace('local-agent', 'laptop'), 'type must be one of'],
    ['a tenant twice', WHOLE.replace('name: ops, kind', 'name: acme, kind'), 'tenant acme is declared twice'],
    [
      'an issuer URL twice',
      WHOLE.replace('http://localhost:8080/ops/', 'https://id.example'),
      'url https://id.example is declared twice',
    ],
    [
      'a user twice',
      WHOLE.replace(
        'environments:',
        '  - { tenant: acme, username: alice, issuer: shared, subject: s-2 }\nenvironments:',
      ),
      'user acme/alice is declared twice',
    ],
    [
      'a subject twice',
      WHOLE.replace(
        'environments:',
        '  - { tenant: acme, username: bob, issuer: shared, subject: s-1 }\nenvironments:',
      ),
      'subject acme/s-1 of shared is declared twice',
    ],
  ])('is refused with %s', (_, text, fault) => {
    expect(faultsOf(text).join('\n')).toContain(fault);
  });

  it('reports every fault at once', () => {
    const faults = faultsOf('tenants: [{ name: A, kind: x }, { name: b, id: y }]\nusers: [{}]');
    expect(faults.length).toBeGreaterThanOrEqual(6);
    expect(new DirectoryError(faults).message).toContain(faults.at(-1));
  });
});
