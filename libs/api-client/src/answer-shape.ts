/** The type of a single value in an answer. `id`: a UUID; `time`: RFC 3339. */
type ValueKind = 'string' | 'id' | 'time' | 'integer' | 'number' | 'boolean' | 'object';

/** One field: a value, an object, or a list of either; one that may be absent ends with `?` or is `optional`. */
export type FieldShape =
  | ValueKind
  | `${ValueKind}?`
  | { object: AnswerShape; optional?: true }
  | { listOf: ValueKind | AnswerShape; optional?: true };

/** The fields of an object of the contract. Fields beyond them are ignored: a newer service may add some. */
export interface AnswerShape {
  readonly [field: string]: FieldShape;
}

/** The body that a route answers with: an object, a bare array, or none. */
export type AnswerBody = { one: AnswerShape } | { many: AnswerShape } | 'nothing';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const KINDS: Readonly<Record<ValueKind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  id: (value) => typeof value === 'string' && ID.test(value),
  time: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
};

/**
 * The first difference between a body and the contract; undefined if there is none. Values of enumerations are not
 * checked, because a newer service may know more.
 *
 * @returns such as `status is missing`
 */
export function differenceOf(body: unknown, expected: AnswerBody): string | undefined {
  if (expected === 'nothing') return body === undefined ? undefined : 'it has a body';
  if ('one' in expected) return differenceOfObject(body, expected.one, '');
  if (!Array.isArray(body)) return 'it is not an array';
  return firstOf(body.map((item, at) => () => differenceOfObject(item, expected.many, `[${at}]`)));
}

function differenceOfObject(value: unknown, shape: AnswerShape, place: string): string | undefined {
  if (!isObject(value)) return `${place || 'it'} is not an object`;
  const prefix = place === '' ? '' : `${place}.`;
  return firstOf(
    Object.entries(shape).map(([field, expected]) => () => {
      const found = Object.hasOwn(value, field) ? value[field] : undefined;
      return differenceOfField(found, expected, `${prefix}${field}`);
    }),
  );
}

function differenceOfField(value: unknown, expected: FieldShape, place: string): string | undefined {
  if (value === undefined) return isOptional(expected) ? undefined : `${place} is missing`;
  if (typeof expected === 'string') {
    const kind = expected.replace('?', '') as ValueKind;
    return KINDS[kind](value) ? undefined : `${place} is not ${words(kind)}`;
  }
  if ('object' in expected) return differenceOfObject(value, expected.object, place);
  if (!Array.isArray(value)) return `${place} is not an array`;
  const { listOf } = expected;
  return firstOf(
    value.map((item, at) => () => {
      if (typeof listOf === 'object') return differenceOfObject(item, listOf, `${place}[${at}]`);
      return KINDS[listOf](item) ? undefined : `${place}[${at}] is not ${words(listOf)}`;
    }),
  );
}

function isOptional(expected: FieldShape): boolean {
  return typeof expected === 'string' ? expected.endsWith('?') : expected.optional === true;
}

function words(kind: ValueKind): string {
  const named = {
    string: 'text',
    id: 'an id',
    time: 'a time',
    integer: 'a whole number',
    number: 'a number',
  } as const;
  return kind in named ? named[kind as keyof typeof named] : `of the type ${kind}`;
}

function firstOf(checks: ReadonlyArray<() => string | undefined>): string | undefined {
  for (const check of checks) {
    const difference = check();
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
