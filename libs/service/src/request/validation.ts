import { validateSync } from 'class-validator';
import { declaredFields, judge, type Refusal } from '@plat/contracts/fields';

export type FieldRefusal = Refusal & { field: string };

/**
 * Fills a request class with its declared fields and ignores all others; null counts as absent.
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
  const faulty = new Set(validateSync(value).map(({ property }) => property));
  const first = fields.find(({ name }) => faulty.has(name));
  if (!first) return { value };
  const refusal = judge(first.rule, value[first.name as keyof Shape]) ?? { message: 'is not valid' };
  return { refusal: { ...refusal, field: first.name } };
}
