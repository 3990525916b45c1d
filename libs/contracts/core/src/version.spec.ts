import { describeVersionFault, isVersion } from './version';

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

  it.each([
    ['1.0.0+42', 'build metadata "+42" is not taken'],
    ['1.0.0-rc.1+a.b', 'build metadata "+a.b" is not taken'],
    ['1.0.0+\u001b[1m', 'build metadata is not taken'],
    ['v1.2.3', 'does not begin with three numbers'],
    ['1.2', 'does not begin with three numbers'],
    ['', 'does not begin with three numbers'],
    ['1.2.3-rc_1', '"_" is not taken'],
    ['1.2.3-a b', 'a space or another such character is not taken'],
    ['1.2.3-\u202e', 'a space or another such character is not taken'],
    ['1.2.3.4', 'comes nothing, or a hyphen'],
    ['1.2.3-', 'comes nothing, or a hyphen'],
    [`1.2.3-${'a'.repeat(123)}`, 'more than 128 characters'],
  ])('names what is refused about %j: %s', (text, fault) => {
    expect(isVersion(text)).toBe(false);
    expect(describeVersionFault(text)).toContain(fault);
  });

  it('is at most 128 characters', () => {
    expect(isVersion(`1.2.3-${'a'.repeat(122)}`)).toBe(true);
    expect(isVersion(`1.2.3-${'a'.repeat(123)}`)).toBe(false);
  });
});
