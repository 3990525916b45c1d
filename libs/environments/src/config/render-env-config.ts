import * as z from 'zod';
import { envConfigSchema } from './env-config';

/** A JSON schema as zod writes it. */
interface JsonSchema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
}

/** `docs/environment-config.schema.json`: the JSON schema (2020-12), for editors. Rule H4. */
export function renderEnvConfigSchema(): string {
  const title = 'The configuration of an environment of plat';
  return `${JSON.stringify({ title, ...schema() }, null, 2)}\n`;
}

/** `docs/environment-config.md`: every field of the configuration of an environment. */
export function renderEnvConfig(): string {
  const rows = fields(schema()).map(({ path, isRequired, of }) =>
    [`\`${path}\`${isRequired ? ' (required)' : ''}`, typeOf(of), of.description ?? ''].join(' | '),
  );
  const parts = [
    '# The configuration of an environment',
    'Written by `npm run generate` from `libs/environments`; edit the schema there.',
    'The file is `<tenant>/<env>/config.yaml` in the folder that `plat config path` shows. `plat config check` names ' +
      'every fault with its file, line and field; an editor can check it by ' +
      '[environment-config.schema.json](environment-config.schema.json). Keys that this version does not know are kept ' +
      'and named in a warning. Secrets do not belong in it. The variables that come from it are in ' +
      '[variables.md](variables.md).',
    ['| Field | Type | Holds |', '| --- | --- | --- |', ...rows.map((row) => `| ${row} |`)].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function schema(): JsonSchema {
  return z.toJSONSchema(envConfigSchema, { io: 'input' }) as JsonSchema;
}

interface Field {
  path: string;
  isRequired: boolean;
  of: JsonSchema;
}

/** Each field before those within it. */
function fields({ properties = {}, required = [] }: JsonSchema, above = ''): Field[] {
  return Object.entries(properties).flatMap(([key, of]) => {
    const path = `${above}${key}`;
    const within =
      of.items?.properties === undefined ? fields(of, `${path}.`) : fields(of.items, `${path}[].`);
    return [{ path, isRequired: required.includes(key), of }, ...within];
  });
}

function typeOf(of: JsonSchema): string {
  const choices = of.enum ?? of.anyOf?.map((choice) => choice.const).filter((one) => one !== undefined);
  if (choices !== undefined && choices.length > 0) return choices.join(', ');
  if (of.anyOf !== undefined) return of.anyOf.map(typeOf).join(' or ');
  if (of.type === 'array') return of.items?.properties === undefined ? 'list of texts' : 'list of mappings';
  if (of.type === 'integer') return bounds(of);
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    boolean: 'true or false',
    object: 'mapping',
  };
  return words[of.type ?? ''] ?? of.type ?? '';
}

function bounds({ minimum, maximum }: JsonSchema): string {
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `whole number, ${minimum} to ${maximum}` : `whole number from ${minimum}`;
}
