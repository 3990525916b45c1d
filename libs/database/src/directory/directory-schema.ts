import { DIRECTORY_STATES } from './directory';
import { STOCK_ROLES } from './stock-roles';

/** The part of JSON schema (2020-12) that the directory file needs. */
export interface DirectorySchema {
  type?: 'object' | 'array' | 'string';
  description?: string;
  enum?: readonly string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  minItems?: number;
  uniqueItems?: boolean;
  items?: DirectorySchema;
  anyOf?: readonly DirectorySchema[];
  properties?: Readonly<Record<string, DirectorySchema>>;
  required?: readonly string[];
  additionalProperties?: false | DirectorySchema;
}

const text = (description: string): DirectorySchema => ({ type: 'string', minLength: 1, description });
const label = (description: string): DirectorySchema => ({
  type: 'string',
  pattern: '^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$',
  description,
});
const id = (description: string): DirectorySchema => ({ type: 'string', format: 'uuid', description });
const choice = (words: readonly string[], description: string): DirectorySchema => ({
  type: 'string',
  enum: words,
  description,
});

function section(
  description: string,
  required: readonly string[],
  properties: Readonly<Record<string, DirectorySchema>>,
): DirectorySchema {
  const items = { type: 'object', properties, required, additionalProperties: false } as const;
  return { type: 'array', description, items };
}

const state = choice(
  DIRECTORY_STATES,
  'Enables, refuses from the next request on, or takes away; without it a new row is active and another stays as it is',
);
const tenant = text('Name of its tenant');

/** Two keys that go together. */
const pair = (properties: Readonly<Record<string, DirectorySchema>>): DirectorySchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const ORGANIZATIONS: DirectorySchema = {
  type: 'object',
  description:
    'Organisation id to the name of its tenant, or to `tenant` and `state`; with `organizationClaim`',
  additionalProperties: {
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        properties: { tenant: { type: 'string', description: 'Name of its tenant' }, state },
        required: ['tenant'],
        additionalProperties: false,
      },
    ],
  },
};

/** The JSON schema of the directory file. `parseDirectory` also judges what the names refer to. */
export const DIRECTORY_SCHEMA: DirectorySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    tenants: section('Organisations that share nothing', ['name'], {
      name: label('Unique; also in the names of namespaces'),
      kind: choice(['company', 'operations'], '`operations` reads across tenants (default: company)'),
      id: id('Its id (default: one is made)'),
      state: choice(['active', 'disabled'], 'A disabled tenant is refused; its end is `delete-tenant`'),
    }),
    issuers: section('Identity providers whose tokens are believed', ['name', 'url', 'audience'], {
      name: label('Unique'),
      url: text('Exactly as the claim `iss` spells it'),
      audience: {
        description:
          'The audience of its tokens, or a list of at least one: a token is believed for any of them',
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', minLength: 1 } },
        ],
      },
      tenant: text('The one tenant of its users; otherwise `organizationClaim`'),
      organizationClaim: text('The claim that names the organisation; otherwise `tenant`'),
      organizations: ORGANIZATIONS,
      state,
    }),
    roles: section('Roles of a tenant besides the stock ones', ['tenant', 'name', 'permissions'], {
      tenant,
      name: text('Unique in the tenant'),
      permissions: {
        type: 'array',
        description: 'The requests that it permits: all that match one of the rules',
        items: {
          anyOf: [
            pair({
              apiMethod: text('One method, with `apiPath`'),
              apiPath: text('One route template, with `apiMethod`'),
            }),
            pair({
              apiMethodPattern: text('Pattern that matches the whole method, with `apiPathPattern`'),
              apiPathPattern: text('Pattern that matches the whole route template, with `apiMethodPattern`'),
            }),
          ],
        },
      },
    }),
    users: section(
      'First users, and those that the file keeps',
      ['tenant', 'username', 'issuer', 'subject'],
      {
        tenant,
        username: text('Unique in the tenant'),
        issuer: text('Name of the issuer that vouches for it'),
        subject: text('The claim `sub` of its tokens'),
        roles: {
          type: 'array',
          uniqueItems: true,
          description: `Names of roles: ${Object.keys(STOCK_ROLES).join(', ')}, or those of the tenant`,
          items: { type: 'string' },
        },
        id: id('Its id (default: one is made)'),
        state,
      },
    ),
    environments: section('Environments that are registered by the file', ['tenant', 'name', 'type'], {
      tenant,
      name: label('Unique in the tenant'),
      type: choice(['local-agent', 'remote-agent', 'runtime'], 'What it is'),
      id: id('Its id (default: one is made)'),
    }),
  },
};
