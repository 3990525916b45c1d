import { type DeclaredField, declaredFields } from '@plat/contracts/fields';
import type { DeclaredOperation, Shape } from '../openapi/declared-operations';
import { innerShapes } from '../openapi/schemas';

/**
 * Renders a type for each shape of the bodies, answers and queries. The client exports those that an operation names; the
 * others are parts of them.
 */
export function renderTypes(operations: readonly DeclaredOperation[]): string {
  const named = new Map<string, Shape>();
  const add = (shape: Shape) => named.set(shape.name, shape);
  for (const { body, query, response } of operations) {
    for (const shape of [body, query, response]) if (shape) add(shape);
  }
  const exported = new Set(named.keys());
  const addInner = (shape: Shape): void =>
    innerShapes(shape).forEach((inner) => {
      if (!named.has(inner.name)) add(inner);
      addInner(inner);
    });
  [...named.values()].forEach(addInner);
  return [...named]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, shape]) => `\n${exported.has(name) ? 'export ' : ''}${renderType(name, shape)}`)
    .join('');
}

function renderType(name: string, shape: Shape): string {
  const fields = declaredFields(shape).map(
    (field) =>
      `/** ${field.description} */\n${field.name}${field.optional ? '?' : ''}: ${fieldType(field)};\n`,
  );
  return `interface ${name} {\n${fields.join('')}}\n`;
}

function fieldType({ name, rule }: DeclaredField): string {
  if (rule.nested) return rule.nested.name;
  if (rule.items) return `${rule.items.name}[]`;
  const type = typeOf(rule.schema);
  if (type === undefined) throw new Error(`The field ${name} has no type.`);
  return type;
}

function typeOf({ type, enum: words, items }: Record<string, unknown>): string | undefined {
  if (Array.isArray(words)) return words.map((word) => `'${word}'`).join(' | ');
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean') return type;
  if (type !== 'array') return undefined;
  const item = typeOf((items ?? {}) as Record<string, unknown>);
  return item?.includes('|') ? `(${item})[]` : item && `${item}[]`;
}
