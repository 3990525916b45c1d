import { isBlank, isStorable } from './text';

describe('text that the database can keep', () => {
  it.each(['', 'plain', 'ünïcödé', '\u{1F600}', 'a\nb'])('may be %j', (text) => {
    expect(isStorable(text)).toBe(true);
  });

  it.each(['\0', 'a\0b', '\ud800', '\udc00', 'a\ud83d', '\ude00\ud83d'])('may not be %j', (text) => {
    expect(isStorable(text)).toBe(false);
  });
});

describe('a blank text', () => {
  it.each(['', ' ', '\t\r\n', '\u00a0\u3000\ufeff'])('is %j', (text) => {
    expect(isBlank(text)).toBe(true);
  });

  it('is not one with a visible character', () => {
    expect(isBlank(' x ')).toBe(false);
  });
});
