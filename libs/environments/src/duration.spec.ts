import fc from 'fast-check';
import { parseDuration } from './duration';

describe("a duration by the grammar of Go's ParseDuration", () => {
  it.each([
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['5.s', 5000],
    ['300ms', 300],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['1μs', 0.001],
    ['1ns', 0.000_001],
    ['0', 0],
    ['+5s', 5000],
    ['-2m', -120_000],
    ['1m1m', 120_000],
    ['1h0m0.000s', 3_600_000],
  ])('%s is %d ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBeCloseTo(milliseconds, 9);
  });

  it.each([
    '5 minutes',
    '5',
    '',
    '-',
    '.',
    '.s',
    '5d',
    '1h 30m',
    '5M',
    '5m ',
    '1e3s',
    '--5s',
    '300y',
    '9999999h',
  ])('is not %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('is refused by its length before its grammar', () => {
    expect(parseDuration(`${'1h'.repeat(50_000)}`)).toBeUndefined();
  });

  it('is the sum of its parts', () => {
    const part = fc.tuple(fc.nat(999), fc.constantFrom('ms', 's', 'm', 'h'));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const texts = parts.map(([count, unit]) => `${count}${unit}`);
        const sum = texts.reduce((total, text) => total + (parseDuration(text) ?? Number.NaN), 0);
        expect(parseDuration(texts.join(''))).toBeCloseTo(sum, 3);
      }),
    );
  });
});
