import { declaredFields, type FieldRule, judge, type Refusal } from '@plat/contracts/fields';
import { validateSync } from 'class-validator';

export type FieldRefusal = Refusal & { field: string };

/**
 * Fills a request class with its declared fields, and with nothing else that was sent; null counts as absent.
 *
 * @returns the instance, or the refusal of the first field in order of declaration
 */
export function fill<Shape extends object>(
  shape: new () => Shape,
  sent: Record<string, unknown>,
): { value: Shape } | { refusal: FieldRefusal } {
  const fields = declaredFields(shape);
  const value = new shape();
  for (const { name } of fields) {
    if (Object.hasOwn(sent, name) && sent[name] !== null) Object.assign(value, { [name]: sent[name] });
  }
  const errors = validateSync(value);
  const first = fields.map(({ name }) => errors.find(({ property }) => property === name)).find(Boolean);
  if (!first) return { value };
  const { rule } = first.contexts?.rule as { rule: FieldRule };
  const refusal = judge(rule, first.value) ?? { message: 'is not valid' };
  return { refusal: { ...refusal, field: first.property } };
}
