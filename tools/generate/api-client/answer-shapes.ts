import type { ServiceName } from '@plat/contracts/core';
import { declaredFields, type FieldRule } from '@plat/contracts/fields';
import type { DeclaredOperation, Shape } from '../openapi/declared-operations';
import { innerShapes } from '../openapi/schemas';

/** Renders the client's table of the successes of a service's routes, and the shapes that the table names. */
export function renderAnswers(service: ServiceName, operations: readonly DeclaredOperation[]): string {
  const named = new Map<string, Shape>();
  for (const { response } of operations) if (response) addWithInner(named, response);
  return [
    ...[...named].map(([name, shape]) => renderShape(name, shape)),
    `\n/** The answers of the routes when they succeed. */\nexport const ${answersOf(service)} = {\n`,
    ...operations.map(renderExpected),
    '} as const;\n',
  ].join('');
}

/** The name of a service's table. */
export function answersOf(service: ServiceName): string {
  return `${service.toUpperCase()}_ANSWERS`;
}

/** A route's name in the table. */
export function answerKey({ route }: DeclaredOperation): string {
  return `'${route.method} ${route.template}'`;
}

function renderExpected(operation: DeclaredOperation): string {
  const { name, route, response, list } = operation;
  // If the commit has a release already, the answer is 200. Spec: API, Releases.
  const statuses = name === 'createRelease' ? [200, route.status] : [route.status];
  const body = response ? `{ ${list ? 'many' : 'one'}: ${constantOf(response.name)} }` : `'nothing'`;
  return `  ${answerKey(operation)}: { statuses: [${statuses.join(', ')}], body: ${body}${route.keyed ? ', keyed: true' : ''} },\n`;
}

/** Renders the parameters of the path that are fields of the answer too. */
export function renderAbout({ route: { template }, response, list }: DeclaredOperation): string {
  if (!response || list) return '';
  const fields = declaredFields(response).map((field) => field.name);
  const parameters = [...template.matchAll(/\{([a-z_]+)\}/g)].map(([, parameter = '']) =>
    parameter.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  );
  const shared = parameters.filter((parameter) => fields.includes(parameter));
  if (shared.length === 0) return '';
  return `, about: { ${shared.map((field) => `${field}: input.${field}`).join(', ')} }`;
}

function addWithInner(named: Map<string, Shape>, shape: Shape): void {
  if (named.has(shape.name)) return;
  for (const inner of innerShapes(shape)) addWithInner(named, inner);
  named.set(shape.name, shape);
}

function renderShape(name: string, shape: Shape): string {
  const fields = declaredFields(shape).map(
    (field) => `${field.name}: ${renderField(field.rule, field.optional === true)}`,
  );
  return `\nconst ${constantOf(name)} = { ${fields.join(', ')} } as const;\n`;
}

function renderField(rule: FieldRule, optional: boolean): string {
  if (rule.nested) {
    return `{ object: ${constantOf(rule.nested.name)}${optional ? ', optional: true' : ''} }`;
  }
  const { type, items } = rule.schema as { type?: string; items?: Record<string, unknown> };
  if (type !== 'array') return `'${kindOf(rule.schema)}${optional ? '?' : ''}'`;
  const listed = rule.items ? constantOf(rule.items.name) : `'${kindOf(items ?? {})}'`;
  return `{ listOf: ${listed}${optional ? ', optional: true' : ''} }`;
}

function kindOf({ type, format }: Record<string, unknown>): string {
  if (format === 'uuid') return 'id';
  if (format === 'date-time') return 'time';
  if (typeof type === 'string') return type;
  throw new Error('A field of an answer has no type.');
}

function constantOf(name: string): string {
  const words = name.replace(/[a-z0-9](?=[A-Z])/g, '$&_');
  return `${words.toUpperCase()}_ANSWER`;
}
