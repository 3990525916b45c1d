import { printable, printableLines } from './printable';

describe('text from outside', () => {
  it.each([
    ['ANSI', '\u001b[31mred', '⟨U+001B⟩[31mred'],
    ['a bidi mark', 'a\u202eb', 'a⟨U+202E⟩b'],
    ['a zero-width space', 'a\u200bb', 'a⟨U+200B⟩b'],
    ['a line end', 'a\nb', 'a⟨U+000A⟩b'],
    ['a tag character', 'a\u{e0041}b', 'a⟨U+E0041⟩b'],
    ['a joiner in a Latin word', 'ma\u200di\u200cn', 'ma⟨U+200D⟩i⟨U+200C⟩n'],
    ['a selector of a variant in a Latin word', 'ma\ufe0fin', 'ma⟨U+FE0F⟩in'],
    ['a filler', 'a\u3164b', 'a⟨U+3164⟩b'],
    ['half of a pair', 'a\ud800b', 'a⟨U+D800⟩b'],
  ])('shows %s by its number', (_what, text, shown) => expect(printable(text)).toBe(shown));

  it.each(['<img src=x onerror=alert(1)>', 'Größe ändern', 'می‌خواهم', '👩‍💻 review', '❤️‍🔥 1️⃣', '統合'])(
    'leaves %s',
    (text) => expect(printable(text)).toBe(text),
  );

  it('keeps the lines of a text, and nothing else that is invisible', () => {
    expect(printableLines('a\r\n\tb\u0007')).toBe('a\n\tb⟨U+0007⟩');
  });
});
