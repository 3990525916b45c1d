import { IsOptional, ValidateBy } from 'class-validator';
import type { ErrorCode } from '@plat/contracts/core';

/** A rule's refusal of a value. Without a code the generic one of the place (body or query) applies. */
export interface Refusal {
  code?: ErrorCode;
  message: string;
}

/** One grammar: its check of a value, and its schema for the OpenAPI document. */
export interface FieldRule {
  schema: Record<string, unknown>;
  /** The shape of the items of a list, if they have one. */
  items?: new () => object;
  /** The shape of a value that is an object. */
  nested?: new () => object;
  /** Judges a value that is neither undefined nor null. */
  judge(value: unknown): Refusal | undefined;
  /** The refusal of an absent value. Default: "is required", with the generic code of the place. */
  missing?: Refusal;
}

export interface FieldOptions {
  description: string;
  optional?: true;
  example?: unknown;
}

/** A field as declared, for the OpenAPI document. */
export interface DeclaredField extends FieldOptions {
  name: string;
  rule: FieldRule;
}

const declared = new WeakMap<object, DeclaredField[]>();

/** The fields of a request or response class, in order of declaration, inherited ones first. */
export function declaredFields(shape: new () => object): DeclaredField[] {
  const prototype: object = shape.prototype as object;
  const parent = Object.getPrototypeOf(shape) as unknown;
  const inherited =
    typeof parent === 'function' && parent.prototype ? declaredFields(parent as new () => object) : [];
  return [...inherited, ...(declared.get(prototype) ?? [])];
}

/**
 * Puts the fields of a value in the order in which its shape declares them, also those of its lists' items.
 *
 * @throws Error if the value has a field that its shape does not declare
 */
export function arrange<T extends object>(shape: new () => T, value: T): T {
  const fields = declaredFields(shape);
  const given = new Map(Object.entries(value));
  const arranged = fields
    .filter(({ name }) => given.has(name))
    .map(({ name, rule: { items } }) => {
      const field: unknown = given.get(name);
      return [
        name,
        items && Array.isArray(field) ? field.map((item: object) => arrange(items, item)) : field,
      ] as const;
    });
  if (arranged.length < given.size) {
    const declared = new Set(fields.map(({ name }) => name));
    throw new Error(
      `${shape.name} does not declare ${[...given.keys()].filter((name) => !declared.has(name)).join(', ')}`,
    );
  }
  return Object.fromEntries(arranged) as T;
}

/** Declares a field once: class-validator checks it, and the OpenAPI document describes it, by the same rule. */
export function Field(rule: FieldRule, options: FieldOptions): PropertyDecorator {
  return (prototype, key) => {
    const fields = declared.get(prototype) ?? [];
    fields.push({ name: String(key), rule, ...options });
    declared.set(prototype, fields);
    if (options.optional) IsOptional()(prototype, key);
    ValidateBy({ name: 'rule', validator: { validate: (value) => judge(rule, value) === undefined } })(
      prototype,
      key,
    );
  };
}

/** The refusal that a rule has for a value; undefined when it accepts it. */
export function judge(rule: FieldRule, value: unknown): Refusal | undefined {
  if (value === undefined || value === null) return rule.missing ?? { message: 'is required' };
  return rule.judge(value);
}
