import { DIRECTORY_SCHEMA, type DirectorySchema } from '@plat/database';

/** `docs/directory-file.schema.json`: the JSON schema (2020-12), for editors. */
export function renderDirectorySchema(): string {
  const head = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The directory file of plat',
  };
  return `${JSON.stringify({ ...head, ...DIRECTORY_SCHEMA }, null, 2)}\n`;
}

/** `docs/directory-file.md`: every key of the directory file. */
export function renderDirectoryPage(): string {
  const rows = keysOf(DIRECTORY_SCHEMA).map(({ path, isRequired, of }) =>
    [`\`${path}\`${isRequired ? ' (required)' : ''}`, typeOf(of), of.description ?? ''].join(' | '),
  );
  const parts = [
    '# The directory file',
    'Written by `npm run generate` from `libs/database/src/directory/directory-schema.ts`; edit the schema there.',
    'The file is YAML. `npm run db -- migrate --directory FILE` applies it, and may do so again at any time; a row that ' +
      'it does not name stays as it is, but it declares each tenant, issuer and organisation that its users need. ' +
      '`npm run db -- directory --check FILE` names every fault and changes nothing; ' +
      'an editor can check it by [directory-file.schema.json](directory-file.schema.json). An unknown key is refused by ' +
      'its name. What the states do is in [operations.md](operations.md#users-and-issuers), what the roles permit in ' +
      '[roles.md](roles.md).',
    ['| Key | Type | Holds |', '| --- | --- | --- |', ...rows.map((row) => `| ${row} |`)].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

interface Key {
  path: string;
  isRequired: boolean;
  of: DirectorySchema;
}

/** Each key before those within it. */
function keysOf({ properties = {}, required = [] }: DirectorySchema, above = ''): Key[] {
  return Object.entries(properties).flatMap(([key, of]) => {
    const path = `${above}${key}`;
    const choices = (of.items?.anyOf ?? []).map(({ properties }) => ({ properties }));
    const within = [of.items ?? {}, ...choices].flatMap((each) => keysOf(each, `${path}[].`));
    const ofAny = of.additionalProperties || {};
    const entries = (ofAny.anyOf ?? []).flatMap((each) => keysOf(each, `${path}.<id>.`));
    return [{ path, isRequired: required.includes(key), of }, ...within, ...entries];
  });
}

function typeOf(of: DirectorySchema): string {
  if (of.enum !== undefined) return of.enum.join(', ');
  if (of.anyOf !== undefined) return of.anyOf.map(typeOf).join(' or ');
  if (of.type === 'array') return of.items?.type === 'string' ? 'list of texts' : 'list of mappings';
  if (of.type === 'object') return 'mapping';
  if (of.format === 'uuid') return 'UUID';
  return of.pattern === undefined ? 'text' : 'DNS label that starts with a letter';
}
