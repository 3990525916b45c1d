import { defined } from '@plat/contracts/core';
import { declaredFields } from '@plat/contracts/fields';
import type { Shape } from './declared-operations';

export type Schema = Record<string, unknown>;

/** The body of every refusal but one. Spec: API, Errors. */
export const ERROR_SCHEMA: Schema = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'A code of docs/errors.md' },
    message: { type: 'string', description: 'For a person' },
    details: { type: 'object', additionalProperties: true, description: 'What the code documents' },
  },
  required: ['code', 'message'],
};

/** The one refusal with a shape of its own. Spec: API, Errors; Rule C2. */
export const UNRESOLVED_THREADS_SCHEMA: Schema = {
  type: 'object',
  properties: {
    error: { type: 'string', enum: ['unresolved_threads'] },
    message: { type: 'string', description: 'For a person' },
    reviewId: { type: 'string', format: 'uuid' },
    unresolvedThreads: { type: 'integer', description: 'OPEN threads on the head of the queue' },
  },
  required: ['error', 'message', 'reviewId', 'unresolvedThreads'],
};

/** A declared class as an object schema. */
function objectSchema(shape: Shape): Schema {
  const fields = declaredFields(shape);
  const required = fields.filter(({ optional }) => !optional).map(({ name }) => name);
  return defined<unknown>({
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, rule, description, example }) => [
        name,
        defined<unknown>({
          ...rule.schema,
          description,
          examples: example === undefined ? undefined : [example],
        }),
      ]),
    ),
    required: required.length > 0 ? required : undefined,
  });
}

/** The shapes that the fields of a shape refer to. */
export function innerShapes(shape: Shape): Shape[] {
  return declaredFields(shape).flatMap(({ rule }) => rule.items ?? rule.nested ?? []);
}

/** The schemas of the shapes and of those that they refer to, by name and in that order. */
export function componentSchemas(shapes: Shape[]): Record<string, Schema> {
  const named = new Map<string, Shape>();
  const add = (shape: Shape) => {
    const present = named.get(shape.name);
    if (present === shape) return;
    if (present) throw new Error(`Two shapes are called ${shape.name}.`);
    named.set(shape.name, shape);
    for (const inner of innerShapes(shape)) add(inner);
  };
  shapes.forEach(add);
  const sorted = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, shape]) => [name, objectSchema(shape)]));
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
