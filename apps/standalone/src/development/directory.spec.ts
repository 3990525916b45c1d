import { developmentAccounts } from './accounts';
import { developmentDirectory } from './directory';

const directory = developmentDirectory({
  issuer: 'http://127.0.0.1:7070/issuers/shared',
  soloIssuer: 'http://127.0.0.1:7070/issuers/solo',
  audience: 'http://127.0.0.1:7070',
});

describe('the development directory', () => {
  it('gives every account the tenant, org and roles of the design', () => {
    const accounts = developmentAccounts(directory).map(({ name, tenant, org, roles, home }) => [
      name,
      tenant,
      org,
      roles.join('+'),
      home,
    ]);
    expect(accounts).toEqual([
      ['alice', 'acme', 'acme', 'TenantAdmin', 'shared'],
      ['bob', 'acme', 'acme', 'TenantUser', 'shared'],
      ['ci', 'acme', 'acme', 'TenantAgent', 'shared'],
      ['carol', 'acme', 'acme', 'Promoter', 'shared'],
      ['dave', 'acme', 'acme', '', 'shared'],
      ['mallory', 'globex', 'globex', 'TenantAdmin', 'shared'],
      ['olga', 'ops', 'ops', 'ReadAll+WriteAll', 'shared'],
      ['sam', 'solo', undefined, 'TenantAdmin', 'solo'],
      ['stranger', 'acme', 'acme', '', 'shared'],
      ['lost', undefined, 'nowhere', '', 'shared'],
    ]);
  });

  it('enrolls everybody but stranger and lost', () => {
    const unknown = developmentAccounts(directory).filter(({ userId }) => userId === undefined);
    expect(unknown.map(({ name }) => name)).toEqual(['stranger', 'lost']);
  });
});
