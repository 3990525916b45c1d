import { isIPv4 } from 'node:net';
import {
  BRANCH_LENGTH_MAX,
  COMMENT_BYTES_MAX,
  decodeCursor,
  describeVersionFault,
  ingressAddressFault,
  isBlank,
  isBranchName,
  isCommitId,
  isId,
  isStorable,
  isVersion,
  NAME_LENGTH_MAX,
  parseInstant,
  REASON_BYTES_MAX,
  REPOSITORY_LENGTH_MAX,
} from '@plat/contracts/core';
import type { FieldRule, Refusal } from './field';

/** A string rule: refuses other types and what the database cannot store, then checks the grammar. */
function stringRule(
  schema: Record<string, unknown>,
  grammar: (value: string) => Refusal | undefined,
): FieldRule {
  return {
    schema: { type: 'string', ...schema },
    judge: (value) => {
      if (typeof value !== 'string') return { message: 'must be a string' };
      if (!isStorable(value)) return { message: 'must be well-formed text without NUL' };
      return grammar(value);
    },
  };
}

/** The largest number of PostgreSQL's integer. */
const LINE_MAX = 2_147_483_647;

const refuseUnless = (holds: boolean, refusal: Refusal): Refusal | undefined => (holds ? undefined : refusal);

/** Text that is not blank, at most `max` characters. */
export function text(max: number): FieldRule {
  return stringRule({ minLength: 1, maxLength: max }, (value) => {
    if (isBlank(value)) return { message: 'must not be blank' };
    return refuseUnless(value.length <= max, { message: `must be at most ${max} characters` });
  });
}

/** A review's name, which becomes the message of the squash merge. Rule A9. */
export const name = text(NAME_LENGTH_MAX);

/** Text that may be blank, at most `max` bytes of UTF-8. */
function freeText(max: number): FieldRule {
  return stringRule({ maxLength: max }, (value) =>
    refuseUnless(Buffer.byteLength(value) <= max, { message: `must be at most ${max} bytes` }),
  );
}

/** The same rule, which also refuses blank text. */
function notBlank(rule: FieldRule): FieldRule {
  return {
    schema: { ...rule.schema, minLength: 1 },
    judge: (value) =>
      typeof value === 'string' && isBlank(value) ? { message: 'must not be blank' } : rule.judge(value),
  };
}

/** Free text of at most 16 KiB of UTF-8. The place that uses it decides whether it may be blank. */
export const reason = freeText(REASON_BYTES_MAX);

/** Free text of at most 16 KiB of UTF-8 that is not blank. */
export const requiredReason = notBlank(reason);

/** The text of a comment: at most 8 KiB of UTF-8, not blank. */
export const commentBody = notBlank(freeText(COMMENT_BYTES_MAX));

/** A branch name of git, without refs/heads/. Rule A9. */
export const branch = stringRule({ minLength: 1, maxLength: BRANCH_LENGTH_MAX }, (value) => {
  if (isBlank(value)) return { message: 'must not be blank' };
  return refuseUnless(isBranchName(value), { message: 'must be a branch name that git accepts' });
});

/** A remote as a client has it. Canonicalization determines the repository that it identifies. */
export const remote = stringRule({ maxLength: REPOSITORY_LENGTH_MAX }, (value) =>
  refuseUnless(value.length <= REPOSITORY_LENGTH_MAX, {
    message: `must be at most ${REPOSITORY_LENGTH_MAX} characters`,
  }),
);

export const id = stringRule({ format: 'uuid' }, (value) =>
  refuseUnless(isId(value), { message: 'must be a UUID' }),
);

export const commitId = stringRule({ pattern: '^[0-9a-f]{40}$' }, (value) =>
  refuseUnless(isCommitId(value), {
    code: 'INVALID_COMMIT_ID',
    message: 'must be exactly 40 lowercase hex characters',
  }),
);

export const version = stringRule({ pattern: '^[0-9]+[.][0-9]+[.][0-9]+(-[A-Za-z0-9.-]+)?$' }, (value) =>
  refuseUnless(isVersion(value), {
    code: 'INVALID_VERSION',
    message: `must be a semantic version such as 1.2.3 or 1.2.3-snapshot-20260102030405: ${describeVersionFault(value)}`,
  }),
);

/** A DNS label that starts with a letter: the name of an environment. Rule E3. */
export const label = stringRule({ pattern: '^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$' }, (value) =>
  refuseUnless(value.length <= 63 && /^[a-z]([a-z0-9-]*[a-z0-9])?$/.test(value), {
    message: 'must be a DNS label: letters, digits and hyphens, first a letter, at most 63 characters',
  }),
);

/** An IPv4 address in dotted decimal. */
export const ipv4 = stringRule({ format: 'ipv4' }, (value) =>
  refuseUnless(isIPv4(value), { message: 'must be an IPv4 address' }),
);

/**
 * The IPv4 address of an ingress: neither loopback nor another address that means a different machine to each visitor.
 * Rule E4.
 */
export const ingressAddress = stringRule({ format: 'ipv4' }, (value) => {
  const fault = ingressAddressFault(value);
  return refuseUnless(fault === undefined, { message: `${fault}, and must be that of an ingress` });
});

/** An RFC 3339 timestamp. */
export const instant = stringRule({ format: 'date-time' }, (value) =>
  refuseUnless(parseInstant(value) !== undefined, { message: 'must be an RFC 3339 timestamp' }),
);

/** One of a fixed set of words. */
export function oneOf(words: readonly string[]): FieldRule {
  return stringRule({ enum: words }, (value) =>
    refuseUnless(words.includes(value), { message: `must be one of ${words.join(', ')}` }),
  );
}

/** Accepts any value: whether `rule` applies depends on another field, so the service judges it later. */
export function judgedLater(rule: FieldRule): FieldRule {
  return { schema: rule.schema, judge: () => undefined };
}

export const boolean: FieldRule = {
  schema: { type: 'boolean' },
  judge: (value) => refuseUnless(typeof value === 'boolean', { message: 'must be true or false' }),
};

/** The number of a line, from 1. */
export const lineNumber: FieldRule = {
  schema: { type: 'integer', minimum: 1, maximum: LINE_MAX },
  judge: (value) => {
    const counts = Number.isInteger(value) && (value as number) >= 1 && (value as number) <= LINE_MAX;
    return refuseUnless(counts, { message: `must be an integer from 1 to ${LINE_MAX}` });
  },
};

export const integer: FieldRule = {
  schema: { type: 'integer' },
  judge: (value) => refuseUnless(Number.isSafeInteger(value), { message: 'must be an integer' }),
};

/** A duration in seconds, to the millisecond; responses only. */
export const seconds: FieldRule = {
  schema: { type: 'number', minimum: 0 },
  judge: (value) =>
    refuseUnless(Number.isFinite(value) && (value as number) >= 0, { message: 'must be a number from 0' }),
};

/** An integer in a query string, of any size: `pageSize` clamps it to the bounds. Rule A7. */
export const integerText = stringRule({ pattern: '^[+-]?[0-9]+$' }, (value) =>
  refuseUnless(/^[+-]?[0-9]+$/.test(value), { message: 'must be an integer' }),
);

/** Text of a filter: anything that the database can compare. */
export function filterText(max: number): FieldRule {
  return stringRule({ maxLength: max }, (value) =>
    refuseUnless(value.length <= max, { message: `must be at most ${max} characters` }),
  );
}

/** A list of other declared shapes; responses only. */
export function listOfShape(shape: new () => object): FieldRule {
  return {
    schema: { type: 'array', items: { $ref: `#/components/schemas/${shape.name}` } },
    items: shape,
    judge: (value) => refuseUnless(Array.isArray(value), { message: 'must be a list' }),
  };
}

/** An object of another declared shape; responses only. */
export function shape(nested: new () => object): FieldRule {
  return {
    schema: { $ref: `#/components/schemas/${nested.name}` },
    nested,
    judge: (value) => refuseUnless(typeof value === 'object', { message: 'must be an object' }),
  };
}

/** A list of plain texts; responses only. */
export const texts: FieldRule = {
  schema: { type: 'array', items: { type: 'string' } },
  judge: (value) => refuseUnless(Array.isArray(value), { message: 'must be a list' }),
};

/** A list of ids, at most `max`. */
export function ids(max: number): FieldRule {
  return {
    schema: { type: 'array', items: id.schema, maxItems: max },
    judge: (value) => {
      if (!Array.isArray(value) || value.length > max) {
        return { message: `must be a list of at most ${max} ids` };
      }
      const every = value.every((entry) => typeof entry === 'string' && isId(entry));
      return refuseUnless(every, { message: 'must hold UUIDs only' });
    },
  };
}

/** A cursor, as `encodeCursor` makes it. */
export const cursor = stringRule({}, (value) =>
  refuseUnless(decodeCursor(value) !== undefined, { message: 'must be a nextCursor of an earlier page' }),
);

/** A cursor that is a version of a queue: a number that PostgreSQL's bigint holds. */
export const versionCursor = stringRule({ pattern: '^[0-9]{1,18}$' }, (value) =>
  refuseUnless(/^[0-9]{1,18}$/.test(value), { message: 'must be a nextCursor of an earlier page' }),
);

/** A cursor that is a place in a queue: the position and the ticket of a review, both as PostgreSQL's bigint. */
export const placeCursor = stringRule({ pattern: '^[0-9]{1,18}-[0-9]{1,18}$' }, (value) =>
  refuseUnless(/^[0-9]{1,18}-[0-9]{1,18}$/.test(value), {
    message: 'must be a nextCursor of an earlier page',
  }),
);

/** The same rule, whose refusal has the code that the contract names for the field. */
export function refusedAs(code: NonNullable<Refusal['code']>, rule: FieldRule): FieldRule {
  return {
    schema: rule.schema,
    missing: { code, message: 'is required' },
    judge: (value) => {
      const refusal = rule.judge(value);
      return refusal && typeof value === 'string' ? { ...refusal, code } : refusal;
    },
  };
}
