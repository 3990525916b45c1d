import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@plat/contracts/core';
import type { RequestKey } from '@plat/database';
import type { PlatRequest } from './request';
import { jsonOf } from './request-body';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The parts of a repeated request that must equal the first one's, apart from its key and its caller. */
export interface KeyedRequest {
  method: string;
  /** The path as requested, with its ids and without a query. */
  path: string;
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

/**
 * Returns the key that identifies a repeated request. Undefined without one, and for a body that is refused anyway.
 *
 * @throws BAD_REQUEST for a key that is none
 */
export function requestKeyOf({ headers, method, url, body }: PlatRequest): RequestKey | undefined {
  const text = idempotencyKeyOf(headers);
  const json = jsonOf(body);
  if (text === undefined || json === undefined) return undefined;
  return { text, digest: digestOf({ method, path: url.split('?', 1)[0]!, body: json }) };
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
