import { renderReport } from './report';

it('a finding whose fault has the words of a login is one line, without characters that a terminal obeys', () => {
  const what = 'ROLE plat_reviews has plat.x=a\n  mend: ALTER ROLE plat_reviews SUPERUSER\u001b[2J\u2028b';
  const finding = { severity: 'error', check: 'login-settings', what, why: 'why', mend: 'mend' } as const;
  expect(renderReport([finding]).split(/[\n\u2028]/)).toEqual([
    'error (login-settings): ROLE plat_reviews has plat.x=a\\u{a}  mend: ALTER ROLE plat_reviews SUPERUSER\\u{1b}[2J\\u{2028}b',
    '  why:  why',
    '  mend: mend',
    '1 error, 0 warnings',
  ]);
});
