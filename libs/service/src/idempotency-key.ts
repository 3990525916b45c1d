import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@plat/contracts/core';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** What a repeated request must have in common with the first one, apart from its key and its caller. */
export interface KeyedRequest {
  method: string;
  /** The path as requested, with its ids and without a query. */
  path: string;
  /** The validated body: fields that the route does not know are dropped already, and null counts as absent. */
  body: object;
}

/**
 * The key under which a caller may repeat a creating request; undefined if there is none.
 *
 * @throws BAD_REQUEST unless the header has one key of 1 to 255 visible ASCII characters
 */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && KEY.test(given)) return given;
  throw new ApiError('BAD_REQUEST', {
    message: 'Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces, and sent once.',
  });
}

/** SHA-256 of the request, which neither the order of the body's fields nor its white space changes. */
export function digestOf({ method, path, body }: KeyedRequest): Buffer {
  const text = JSON.stringify([method, path, canonical(body)]);
  return createHash('sha256').update(text).digest();
}

/** The value with each object as its fields in the order of their names, marked so that no list equals an object. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(canonical)];
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return ['object', ...sorted.map(([name, field]) => [name, canonical(field)])];
}
