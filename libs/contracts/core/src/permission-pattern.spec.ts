import fc from 'fast-check';
import { PATTERN_LENGTH_MAX, PermissionPattern } from './permission-pattern';

const holds = (pattern: string, text: string) => PermissionPattern.read(pattern)?.matches(text);

describe('a permission pattern', () => {
  it.each([
    ['GET', 'GET', true],
    ['GET|POST', 'POST', true],
    ['GET|POST', 'GETPOST', false],
    ['/v1/reviews', '/v1/reviews/{review_id}', false],
    ['/v1/.*', '/v1/', true],
    ['/v1/reviews(/.*)?', '/v1/reviews', true],
    ['/v1/reviews(/.*)?', '/v1/reviews/{review_id}', true],
    ['/v1/reviews(/.*)?', '/v1/reviewsX', false],
    ['/v1/(builds|gate-runs)/.*', '/v1/gate-runs/{gate_run_id}', true],
    ['/v1/users/{user_id}/roles', '/v1/users/{user_id}/roles', true],
    ['/v1/.', '/v1/x', true],
    ['/v1/.', '/v1/', false],
    ['(a|b)?c', 'c', true],
    ['(x.*)y', 'y', false],
  ])('%s holds for the whole of %s: %s', (pattern, text, expected) => {
    expect(holds(pattern, text)).toBe(expected);
  });

  it.each([
    '',
    '(',
    'a)',
    'a*',
    '*',
    'a?',
    '?',
    '(a)*',
    '(a)??',
    'a+',
    '[a]',
    '\\d',
    '^a',
    'a$',
    'a{2}',
    '(?:a)',
    'é',
  ])('is refused outside its grammar: %j', (pattern) =>
    expect(PermissionPattern.read(pattern)).toBeUndefined(),
  );

  it('has .* at most 4 times and 200 characters', () => {
    expect(PermissionPattern.read('.*'.repeat(4))).toBeDefined();
    expect(PermissionPattern.read('.*'.repeat(5))).toBeUndefined();
    expect(PermissionPattern.read('a'.repeat(PATTERN_LENGTH_MAX))).toBeDefined();
    expect(PermissionPattern.read('a'.repeat(PATTERN_LENGTH_MAX + 1))).toBeUndefined();
  });

  it('is decided at once where a RegExp would be busy for years', () => {
    const text = `${'a'.repeat(60)}!`;
    const started = performance.now();
    expect(holds('(a|a)'.repeat(40), text)).toBe(false);
    expect(holds('(.)?'.repeat(50), text)).toBe(false);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('means what the same text means as a regular expression', () => {
    const piece = fc.constantFrom('a', 'b', '/', '{x}', '.', '(a|b)', '(a)?', '(b|)', 'a|b');
    const pattern = fc.array(fc.oneof(piece, fc.constantFrom('.*')), { minLength: 1, maxLength: 6 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '{', 'x', '}'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (pieces, candidate) => {
        const source = pieces.join('');
        const read = PermissionPattern.read(source);
        fc.pre(read !== undefined);
        expect(read.matches(candidate)).toBe(new RegExp(`^(?:${source})$`).test(candidate));
      }),
    );
  });
});
