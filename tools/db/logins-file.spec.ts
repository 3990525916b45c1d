import { parseLogins } from './logins-file';

describe('a file of logins', () => {
  it('names login roles and their passwords', () => {
    expect(parseLogins('plat_reviews: one\nplat_audit: two\n')).toEqual({
      plat_reviews: 'one',
      plat_audit: 'two',
    });
  });

  it.each([
    ['postgres: secret', 'postgres is none of'],
    ['plat_reviews: 12', 'plat_reviews has no password'],
    ['plat_reviews: ""', 'plat_reviews has no password'],
    ['- secret', 'mapping'],
    ['', 'mapping'],
  ])('is refused without telling a password: %j', (text, message) => {
    expect(() => parseLogins(text)).toThrow(message);
    expect(() => parseLogins(text)).not.toThrow(/secret|12/);
  });
});
