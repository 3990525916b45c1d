import { findText } from './find-text';

describe('a text', () => {
  it.each([
    ['abc', 'b', 0],
    ['abcabc', 'abc', 1],
    ['aaab', 'aab', 0],
    ['aabaabaaab', 'aabaaa', 0],
    ['abc', 'd', 0],
    ['abc', 'abcd', 0],
    ['abc', '', 2],
    ['abc', '', 9],
    ['', 'a', 0],
  ])('%j has %j from %i on where indexOf finds it', (text, part, from) => {
    expect(findText(text, part, from)).toBe(text.indexOf(part, from));
  });

  it('is found in all words of two letters as indexOf finds it', () => {
    const word = (number: number, length: number) =>
      Array.from({ length }, (_, bit) => ((number >> bit) & 1 ? 'a' : 'b')).join('');
    for (let number = 0; number < 1 << 9; number += 1) {
      for (let part = 0; part < 1 << 4; part += 1) {
        const words = [word(number, 9), word(part, 4)] as const;
        expect([words, findText(...words, 1)]).toEqual([words, words[0].indexOf(words[1], 1)]);
      }
    }
  });

  // `indexOf` would compare 10^11 letters, which the test's time does not allow.
  it('that repeats itself is found in one pass', () => {
    const half = 'a'.repeat(400_000);
    expect(findText(half.repeat(4), `${half}b${half}`, 0)).toBe(-1);
  });
});
