import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RouteEntry, ROUTES } from '@plat/contracts/core';

const DOCUMENTS = join(__dirname, '..', '..', '..', '..', 'docs', 'openapi');

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { schemas: Record<string, Schema> };
}

interface Response {
  content?: Record<string, { schema: Schema }>;
}

/** The successful answer of a route. */
export interface Success {
  status: number;
  /** The body, completed with the required fields that it lacks: those of the request, or any. */
  complete(body: unknown, sent?: object): unknown;
}

/** The successful answer of a path's route, from the OpenAPI documents; undefined if there is no such route. */
export function successOf(method: string, path: string): Success | undefined {
  const route = Object.values<RouteEntry>(ROUTES).find(
    (one) => one.method === method && pattern(one.template).test(path),
  );
  if (!route) return undefined;
  const document = JSON.parse(readFileSync(join(DOCUMENTS, `${route.service}.json`), 'utf8')) as Document;
  const { responses } = document.paths[route.template]![method.toLowerCase()]!;
  const schema = responses[String(route.status)]?.content?.['application/json']?.schema;
  const ids = idsOf(route.template, path);
  return {
    status: route.status,
    complete: (body, sent = {}) =>
      schema ? whole(document, schema, { body, ids, sent: { ...sent } }) : body,
  };
}

function pattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{[a-z_]+\}/g, '[^/]+')}$`);
}

/** The ids in the path, by their names in answers. */
function idsOf(template: string, path: string): Record<string, string> {
  const values = path.split('/');
  const named = template.split('/').map((part, at) => [part, values[at] ?? ''] as const);
  return Object.fromEntries(
    named
      .filter(([part]) => part.startsWith('{'))
      .map(([part, value]) => [
        part.slice(1, -1).replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
        value,
      ]),
  );
}

interface Given {
  body: unknown;
  ids: Record<string, string>;
  sent: Record<string, unknown>;
}

function whole(document: Document, schema: Schema, { body, ids, sent }: Given): unknown {
  const resolved = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
  if (resolved.type === 'array') {
    if (!Array.isArray(body)) return body ?? [];
    return body.map((item: unknown) =>
      whole(document, resolved.items ?? {}, { body: item, ids: {}, sent: {} }),
    );
  }
  if (resolved.type !== 'object') return body ?? anyValue(resolved);
  if (typeof body !== 'object' && body !== undefined) return body;
  const given = (body ?? {}) as Record<string, unknown>;
  const fields = Object.entries(resolved.properties ?? {}).filter(
    ([name]) => given[name] !== undefined || resolved.required?.includes(name),
  );
  return {
    ...given,
    ...Object.fromEntries(
      fields.map(([name, field]) => [
        name,
        whole(document, field, {
          body: given[name] ?? (field.format === 'uuid' ? ids[name] : sent[name]),
          ids: {},
          sent: {},
        }),
      ]),
    ),
  };
}

function anyValue({ type, format, enum: words }: Schema): unknown {
  if (words) return words[0];
  if (format === 'uuid') return '0198f2a4-0000-7000-8000-000000000000';
  if (format === 'date-time') return '2026-01-02T03:04:05.000Z';
  if (type === 'integer') return 1;
  if (type === 'boolean') return true;
  return 'text';
}
