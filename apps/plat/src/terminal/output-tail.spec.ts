import { OutputTail } from './output-tail';

const JWT = `eyJ${'a'.repeat(40)}.${'b'.repeat(2000)}.${'c'.repeat(300)}`;

describe('the end of what a program prints', () => {
  function tailOf(...printed: string[]): string {
    const tail = new OutputTail();
    for (const text of printed) tail.add(Buffer.from(text));
    return tail.text();
  }

  it('begins with a whole character, since half of one is refused by the platform', () => {
    for (const end of ['', 'b']) {
      const text = tailOf(`${'\u{1f600}'.repeat(3000)}${end}`);
      expect(text.isWellFormed()).toBe(true);
      expect(text.endsWith(`\u{1f600}${end}`)).toBe(true);
    }
  });

  it('is reported without the credentials in it, wherever they are cut', () => {
    const lines = `fatal: https://ci:${JWT}@git.example.com/a failed\nAuthorization: Basic dTpw\nBearer ${JWT}`;
    for (let at = 0; at < lines.length; at += 97) {
      const text = tailOf(lines.slice(0, at), lines.slice(at));
      expect(text).toBe('fatal: https://git.example.com/a failed\nAuthorization: Basic ***\nBearer ***');
    }
    for (let after = 30_000; after < 34_000; after += 61) {
      expect(tailOf(`first\nhttps://ci:${JWT}@git.example.com/a\n`, 'z '.repeat(after / 2))).not.toMatch(
        /[abc]{9}/,
      );
    }
    expect(tailOf(`${JWT.repeat(20)} end`)).not.toMatch(/[abc]{9}/);
  });

  it('consists of at most the last 4000 characters', () => {
    const text = tailOf(...Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`));
    expect(text.length).toBeLessThanOrEqual(4000);
    expect(text).toMatch(/line 19998\nline 19999$/);
  });

  it.each(['ghp_0123456789abcdefghij', 'github_pat_0123456789abcdefghij', 'glpat-0123456789abcdefghij'])(
    'is reported without the token of a forge: %s',
    (token) => {
      expect(tailOf(`GH_TOKEN=${token}\n`)).toBe('GH_TOKEN=***');
    },
  );
});
