import { isVersion } from './version';

describe('the version of a RECORDED build', () => {
  it.each([
    '0.0.0',
    '1.2.3',
    '10.20.30',
    '1.2.3-rc.1',
    '1.2.3-snapshot-20260102030405',
    '1.2.3-A.b-C',
    '01.002.0003',
  ])('may be %s', (text) => {
    expect(isVersion(text)).toBe(true);
  });

  it.each([
    '',
    '1',
    '1.2',
    '1.2.3.4',
    'v1.2.3',
    '1.2.3-',
    '1.2.3+build',
    '1.2.3-rc_1',
    ' 1.2.3',
    '1.2.3\n',
    '1,2,3',
    '-1.2.3',
    '١.٢.٣',
  ])('may not be %j', (text) => {
    expect(isVersion(text)).toBe(false);
  });

  it('is at most 128 characters', () => {
    expect(isVersion(`1.2.3-${'a'.repeat(122)}`)).toBe(true);
    expect(isVersion(`1.2.3-${'a'.repeat(123)}`)).toBe(false);
  });
});
