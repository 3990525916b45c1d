import { getMetadataStorage } from 'class-validator';
import { fromJSONSchema } from 'zod';
import { Directory } from './directory';
import { DIRECTORY_SCHEMA } from './directory-schema';
import { parseDirectory } from './parse-directory';

const WHOLE = {
  tenants: [{ name: 'acme', kind: 'company', state: 'active', id: '00000000-0000-7000-8000-0000000000c0' }],
  issuers: [
    {
      name: 'shared',
      url: 'https://id.example',
      audience: ['one', 'two'],
      organizationClaim: 'org',
      organizations: { o: 'acme', p: { tenant: 'acme', state: 'removed' } },
      state: 'active',
    },
    { name: 'own', url: 'https://own.example', audience: 'one', tenant: 'acme' },
  ],
  roles: [
    {
      tenant: 'acme',
      name: 'Advancer',
      permissions: [
        { apiMethod: 'POST', apiPath: '/v1/reviews' },
        { apiMethodPattern: 'GET', apiPathPattern: '/v1/.*' },
      ],
    },
  ],
  users: [
    { tenant: 'acme', username: 'alice', issuer: 'own', subject: '7', roles: ['Advancer'], state: 'active' },
  ],
  environments: [{ tenant: 'acme', name: 'dev', type: 'runtime' }],
};

/** The file with one value in another place. */
function changed(path: string, value: unknown): object {
  const copy = structuredClone(WHOLE) as Record<string, unknown>;
  const keys = path.split('.');
  let place = copy;
  for (const key of keys.slice(0, -1)) place = place[key] as Record<string, unknown>;
  if (value === undefined) delete place[keys.at(-1)!];
  else place[keys.at(-1)!] = value;
  return copy;
}

const schema = fromJSONSchema(DIRECTORY_SCHEMA as Parameters<typeof fromJSONSchema>[0]);
const verdicts = (file: object) => {
  const parsed = () => parseDirectory(JSON.stringify(file));
  let isParsed = true;
  try {
    parsed();
  } catch {
    isParsed = false;
  }
  return { schema: schema.safeParse(file).success, parser: isParsed };
};

describe('the JSON schema of the directory file', () => {
  it('takes a file with every key, as the parser does', () => {
    expect(verdicts(WHOLE)).toEqual({ schema: true, parser: true });
  });

  it('has the keys of the classes that the parser reads, and no others', () => {
    const storage = getMetadataStorage();
    const namesOf = (target: object) => [
      ...new Set(
        storage
          .getTargetValidationMetadatas(target.constructor, '', true, false)
          .map(({ propertyName }) => propertyName),
      ),
    ];
    const directory = parseDirectory(JSON.stringify(WHOLE));
    expect(Object.keys(DIRECTORY_SCHEMA.properties!).sort()).toEqual(namesOf(new Directory()).sort());
    for (const [section, { items }] of Object.entries(DIRECTORY_SCHEMA.properties!)) {
      const [row] = directory[section as keyof Directory] as object[];
      expect([section, Object.keys(items!.properties!).sort()]).toEqual([section, namesOf(row!).sort()]);
    }
  });

  it.each<[string, string, unknown]>([
    ['an unknown section', 'tenant', []],
    ['an unknown key', 'tenants.0.colour', 'red'],
    ['an unknown key of an organisation', 'issuers.0.organizations.p.colour', 'red'],
    ['an empty list of audiences', 'issuers.0.audience', []],
    ['an audience twice', 'issuers.0.audience', ['a', 'a']],
    ['an empty audience', 'issuers.1.audience', ''],
    ['no audience', 'issuers.1.audience', undefined],
    ['a tenant name with a dot', 'tenants.0.name', 'a.b'],
    ['an unknown kind', 'tenants.0.kind', 'big'],
    ['a tenant that is to be removed', 'tenants.0.state', 'removed'],
    ['an id that is none', 'tenants.0.id', 'x'],
    ['a user without subject', 'users.0.subject', undefined],
    ['a role twice', 'users.0.roles', ['Advancer', 'Advancer']],
    ['a rule of half a pair', 'roles.0.permissions.0.apiPath', undefined],
    ['a rule of both kinds', 'roles.0.permissions.0.apiPathPattern', '.*'],
    ['an unknown type of environment', 'environments.0.type', 'big'],
    ['a section that is no list', 'users', {}],
  ])('refuses what the parser refuses: %s', (_, path, value) => {
    expect(verdicts(changed(path, value))).toEqual({ schema: false, parser: false });
  });
});
