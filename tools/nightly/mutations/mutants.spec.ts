import { mutantsOf } from './mutants';

const mutated = (source: string): string[] =>
  mutantsOf(source).map(
    ({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end),
  );

describe('mutantsOf', () => {
  it.each([
    ['a < b;', ['a <= b;', 'a >= b;']],
    ['a === b;', ['a !== b;']],
    ['if (a) b();', ['if (true) b();', 'if (false) b();']],
    ['a ? b : c;', ['true ? b : c;', 'false ? b : c;']],
    ['a && b;', ['a || b;']],
    ['!a;', ['a;']],
    ['const a = true;', ['const a = false;']],
    ["f('text');", ["f('');"]],
    ['f([a]);', ['f([]);']],
    ['a.some(b);', ['a.every(b);']],
    ['throw a;', [';']],
    ['function f() { g(); }', ['function f() {}']],
  ])('of %s', (source, expected) => expect(mutated(source)).toEqual(expected));

  it.each([
    "import a from 'b';",
    "type A = 'b' | 'c';",
    "interface A { b: 'c' }",
    'const a: true = b;',
    'f([]);',
  ])('leaves %s alone', (source) => expect(mutated(source)).toEqual([]));
});
