import { wantsJson } from './output-mode';
import {
  printableJson,
  printableLine,
  printableOutput,
  printableText,
  withoutCredentials,
} from './printable';
import { prose } from './prose';
import { shellQuote } from './shell-quote';

describe('text for a terminal', () => {
  it('has no control sequences and no characters that change its direction', () => {
    expect(printableLine('a\u001b[2Jb\nc\u202ed')).toBe('a [2Jb c d');
    expect(printableText('a\r\nb\u0007c\td')).toBe('a\nb c d');
  });

  it.each([
    ['a zero-width space', 'ma\u200bin', 'ma in'],
    ['a joiner in a Latin word', 'ma\u200din', 'ma in'],
    ['a mark of byte order', '\ufeffmain', ' main'],
    ['an operator that is not seen', 'ma\u2062in', 'ma in'],
    ['a tag', 'main\u{e0041}', 'main '],
    ['a selector of a variant in a Latin word', 'ma\ufe0fin', 'ma in'],
  ])('shows a space for %s', (_what, text, shown) => {
    for (const print of [printableLine, printableText, printableOutput]) expect(print(text)).toBe(shown);
    expect(printableJson([text])).toMatch(/^[ -~]+$/);
    expect(JSON.parse(printableJson([text]))).toEqual([text]);
  });

  it.each(['می‌خواهم', '👩‍💻 review', '❤️‍🔥 1️⃣', '統合'])('leaves %s', (text) => {
    for (const print of [printableLine, printableText, printableOutput]) expect(print(text)).toBe(text);
  });

  it.each([
    ['https://me:hunter2@host/o/r', 'https://host/o/r'],
    [
      "fatal: unable to access 'https://token@host/o/r/': no",
      "fatal: unable to access 'https://host/o/r/': no",
    ],
    ['ssh://git@host/o/r', 'ssh://host/o/r'],
    [`https://ci:${'x'.repeat(5000)}@host/o/r`, 'https://host/o/r'],
    ['https://me:p@ss@host/o/r', 'https://host/o/r'],
    ['{"a":"https://host","b":"c@d"}', '{"a":"https://host","b":"c@d"}'],
    ['https://host/o/r?access_token=abc&x=1', 'https://host/o/r?access_token=***&x=1'],
    ['https://host/device?user_code=ABCD', 'https://host/device?user_code=ABCD'],
    ['git@host:o/r', 'git@host:o/r'],
    ['https://host/a@b', 'https://host/a@b'],
  ])('names %s as %s', (text, kept) => {
    expect(withoutCredentials(text)).toBe(kept);
  });

  it('quotes a command so that a shell reads it unchanged', () => {
    expect(shellQuote(['git', 'fetch', '+refs/heads/a:refs/b', "it's", 'a b', '$x', ''])).toBe(
      `git fetch +refs/heads/a:refs/b 'it'\\''s' 'a b' '$x' ''`,
    );
  });

  it('keeps the paragraphs of prose and joins their lines', () => {
    expect(prose('One\n  line.\n\nTwo.\n')).toBe('One line.\n\nTwo.');
  });

  it.each([
    [['--json'], true],
    [['--output', 'json'], true],
    [['--output=json'], true],
    [['--output', 'text'], false],
    [['--', '--json'], false],
    [[], false],
  ])('takes %j as asking for JSON: %s', (argv, json) => {
    expect(wantsJson(argv)).toBe(json);
  });
});
