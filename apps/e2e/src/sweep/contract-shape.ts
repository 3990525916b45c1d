import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteEntry } from '@plat/contracts/core';

const FOLDER = join(__dirname, '../../../../docs/openapi');

interface Schema {
  $ref?: string;
  oneOf?: Schema[];
  type?: string;
  enum?: unknown[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
}
interface Answer {
  content?: { 'application/json': { schema: Schema } };
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Answer> }>>;
  components: { schemas: Record<string, Schema> };
}

const documents = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Document,
);

const FORMATS: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/,
};

/** The differences between an answer and the OpenAPI document's description of its route and status. */
export function unlikeTheContract({ method, template }: RouteEntry, status: number, body: unknown): string[] {
  const document = documents.find(({ paths }) => template in paths)!;
  const answer = document.paths[template]?.[method.toLowerCase()]?.responses[String(status)];
  if (!answer) return [`status ${status} of ${method} ${template} is not described`];
  const schema = answer.content?.['application/json'].schema;
  if (!schema) return body === undefined ? [] : ['a body where none is described'];
  return faultsOf(schema, body, { document, at: 'body' });
}

interface Place {
  document: Document;
  at: string;
}

function faultsOf(schema: Schema, value: unknown, place: Place): string[] {
  const { document, at } = place;
  if (schema.$ref) {
    return faultsOf(document.components.schemas[schema.$ref.split('/').at(-1)!]!, value, place);
  }
  if (schema.oneOf) {
    const fits = schema.oneOf.filter((each) => faultsOf(each, value, place).length === 0);
    return fits.length > 0 ? [] : [`${at} is none of ${schema.oneOf.length} shapes`];
  }
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${String(value)}`];
  switch (schema.type) {
    case 'object':
      return objectFaults(schema, value, place);
    case 'array':
      if (!Array.isArray(value)) return [`${at} is no array`];
      return value.flatMap((item, index) =>
        faultsOf(schema.items!, item, { document, at: `${at}[${index}]` }),
      );
    case 'string':
      return stringFaults(schema, value, at);
    case 'integer':
      return Number.isInteger(value) ? [] : [`${at} is no integer`];
    default:
      return schema.type === undefined || typeof value === schema.type ? [] : [`${at} is no ${schema.type}`];
  }
}

function objectFaults(schema: Schema, value: unknown, { document, at }: Place): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no object`];
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map((name) => `${at}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, field]) => {
      const described = properties[name];
      if (described) return faultsOf(described, field, { document, at: `${at}.${name}` });
      return additionalProperties ? [] : [`${at}.${name} is not described`];
    }),
  ];
}

function stringFaults(
  { pattern, format, minLength = 0, maxLength }: Schema,
  value: unknown,
  at: string,
): string[] {
  if (typeof value !== 'string') return [`${at} is no text`];
  const shape = format === undefined ? undefined : FORMATS[format];
  const fits =
    value.length >= minLength &&
    (maxLength === undefined || [...value].length <= maxLength) &&
    (pattern === undefined || new RegExp(pattern).test(value)) &&
    (shape === undefined || shape.test(value));
  return fits ? [] : [`${at} is ${JSON.stringify(value.slice(0, 100))}`];
}
