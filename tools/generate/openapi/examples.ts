import { type ErrorCode, ERRORS } from '@plat/contracts/core';
import { declaredFields, type FieldRule } from '@plat/contracts/fields';
import type { Shape } from './declared-operations';

/** Example values for schemas that give only a format. */
const BY_FORMAT: Record<string, string> = {
  uuid: '01920000-0000-7000-8000-000000000001',
  'date-time': '2026-01-02T03:04:05.678901Z',
  ipv4: '192.0.2.10',
};

/** An example of a declared class: every required field, and the optional ones that bring an example. */
export function exampleOf(shape: Shape): Record<string, unknown> {
  const shown = declaredFields(shape).filter(({ optional, example }) => !optional || example !== undefined);
  return Object.fromEntries(shown.map(({ name, rule, example }) => [name, example ?? valueOf(rule)]));
}

function valueOf({ schema, items, nested }: FieldRule): unknown {
  if (items) return [exampleOf(items)];
  if (nested) return exampleOf(nested);
  if (Array.isArray(schema.enum)) return (schema.enum as unknown[])[0];
  if (typeof schema.format === 'string' && schema.format in BY_FORMAT) return BY_FORMAT[schema.format];
  switch (schema.type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 1;
    case 'array':
      return [];
    default:
      return schema.pattern === '^[0-9a-f]{40}$' ? '8b0680813735b69fe333cbe0ba43f338cfbca742' : 'text';
  }
}

/** An example of each refusal, by its code. */
export function errorExamples(codes: Iterable<ErrorCode>): Record<string, { value: object }> {
  const sorted = [...new Set(codes)].sort();
  return Object.fromEntries(sorted.map((code) => [code, { value: { code, message: ERRORS[code].message } }]));
}

/** References to the examples of refusals, by their codes. */
export function exampleReferences(codes: readonly ErrorCode[]): Record<string, { $ref: string }> {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}
