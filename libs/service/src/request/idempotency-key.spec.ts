import { ApiError } from '@plat/contracts/core';
import { digestOf, idempotencyKeyOf } from './idempotency-key';

const keyOf = (key: string | undefined) => idempotencyKeyOf({ 'idempotency-key': key });

describe('Idempotency-Key', () => {
  it.each([undefined, 'a', '!~', '"quoted,with-a-comma"', 'x'.repeat(255)])('may be %s', (key) =>
    expect(keyOf(key)).toBe(key),
  );

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['with a space', 'a b'],
    ['with a control character', 'a\n'],
    ['with a character outside ASCII', 'é'],
    ['sent twice, which the server joins', 'a, b'],
  ])('is refused when %s', (_, key) => {
    expect(() => keyOf(key)).toThrow(ApiError);
    expect(() => keyOf(key)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', status: 400 }));
  });
});

describe('the digest of a request', () => {
  const request = {
    method: 'POST',
    path: '/v1/reviews',
    body: { name: 'a', list: [1, 2], deep: { x: 1, y: 2 } },
  };
  const digest = digestOf(request);

  it('has 32 bytes', () => expect(digest).toHaveLength(32));

  it.each([
    ['the order of the fields', { deep: { y: 2, x: 1 }, list: [1, 2], name: 'a' }],
    ['an absent field', { ...request.body, repository: undefined }],
  ])('is not changed by %s', (_, body) => {
    expect(digestOf({ ...request, body })).toEqual(digest);
  });

  it.each([
    ['the method', { method: 'PUT' }],
    ['the path', { path: '/v1/reviews/1' }],
    ['a value', { body: { ...request.body, name: 'b' } }],
    ['the type of a value', { body: { ...request.body, deep: { x: '1', y: 2 } } }],
    ['the order of a list', { body: { ...request.body, list: [2, 1] } }],
    [
      'a list in the place of an object',
      {
        body: {
          ...request.body,
          deep: [
            ['x', 1],
            ['y', 2],
          ],
        },
      },
    ],
    ['another field', { body: { ...request.body, more: 1 } }],
  ])('is changed by %s', (_, change) => {
    expect(digestOf({ ...request, ...change })).not.toEqual(digest);
  });
});
