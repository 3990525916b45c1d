import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json';

describe('canonical JSON', () => {
  it('is the example of RFC 8785, section 3.2.3, sorted by UTF-16 code units', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toHaveLength(7);
    expect(canonicalJson(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis",' +
        '"\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  it('escapes as RFC 8785, section 3.2.2.2 says, and nothing else', () => {
    expect(canonicalJson('\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/\u007f\u2028')).toBe(
      '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u007f\u2028"',
    );
  });

  it('sorts the members of each object, and leaves arrays as they are', () => {
    expect(canonicalJson({ b: [3, 1, { d: null, c: true }], a: '', 10: 0, 9: -1 })).toBe(
      '{"10":0,"9":-1,"a":"","b":[3,1,{"c":true,"d":null}]}',
    );
  });

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it('has integers of at most 53 bits, and one zero', () => {
    expect(canonicalJson([2 ** 53 - 1, -(2 ** 53 - 1), -0])).toBe('[9007199254740991,-9007199254740991,0]');
  });

  it('takes a member’s name as it is', () => {
    const parsed: unknown = JSON.parse('{"__proto__":1,"constructor":2}');
    expect(canonicalJson(parsed)).toBe('{"__proto__":1,"constructor":2}');
  });

  it('takes plain objects of whatever realm', () => {
    expect(canonicalJson(runInContext('({ a: [1, {}] })', createContext()))).toBe('{"a":[1,{}]}');
    expect(canonicalJson(Object.create(null))).toBe('{}');
  });

  it.each([
    ['a fraction', 0.5],
    ['a number of more than 53 bits', 2 ** 53],
    ['no number', NaN],
    ['infinity', Infinity],
    ['a big integer', 1n],
    ['undefined', undefined],
    ['undefined in an array', [undefined]],
    ['a hole in an array', new Array(1)],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', Buffer.from('a')],
    ['half of a surrogate pair', 'a\ud800'],
    ['half of a surrogate pair in a name', { '\udc00': 1 }],
    ['65 levels', JSON.parse(`${'['.repeat(65)}${']'.repeat(65)}`) as unknown],
  ])('refuses %s', (_what, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it('is read back to the same value, and written again to the same text', () => {
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.maxSafeInteger().map((number) => number + 0),
      fc.boolean(),
      fc.constant(null),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        const text = canonicalJson(given);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalJson(JSON.parse(JSON.stringify(given)))).toBe(text);
      }),
    );
  });
});
