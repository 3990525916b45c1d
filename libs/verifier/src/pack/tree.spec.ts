import { isDirectory, isRegularFile, isSameEntry, readTree } from './tree';

const id = (digit: string) => digit.repeat(40);
const entry = (mode: string, name: string, digit: string) =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id(digit), 'hex')]);

describe('readTree', () => {
  const content = Buffer.concat([
    entry('100644', 'a b', '1'),
    entry('40000', 'dir', '2'),
    entry('120000', '\xff\n', '3'),
  ]);

  it('returns mode and id by name, with names byte by byte', () => {
    expect([...readTree(content)]).toEqual([
      ['a b', { mode: '100644', id: id('1') }],
      ['dir', { mode: '40000', id: id('2') }],
      ['\xff\n', { mode: '120000', id: id('3') }],
    ]);
  });

  it.each([
    ['100664', '100644'],
    ['100600', '100644'],
    ['100744', '100755'],
    ['100775', '100755'],
    ['040000', '40000'],
    ['120777', '120000'],
    ['0', '160000'],
  ])('reads the mode %s as git does', (written, mode) => {
    expect(readTree(entry(written, 'a', '1')).get('a')?.mode).toBe(mode);
  });

  it('returns only the requested names', () => {
    expect([...readTree(content, new Set(['dir', 'gone'])).keys()]).toEqual(['dir']);
  });

  it('reads the empty tree', () => expect(readTree(Buffer.alloc(0)).size).toBe(0));

  it.each([
    ['a cut id', content.subarray(0, content.length - 1)],
    ['two entries of one name', Buffer.concat([content, entry('100644', 'dir', '4')])],
    ['a path for a name', entry('100644', 'dir/file', '1')],
    ['an empty name', entry('100644', '', '1')],
    ['a mode that is no number', entry('1006x4', 'a', '1')],
    ['an empty mode', entry('', 'a', '1')],
    ['no name', Buffer.from('100644')],
    ['no end of a name', Buffer.from('100644 name')],
  ])('refuses %s', (_, bytes) => {
    expect(() => readTree(bytes)).toThrow(
      expect.objectContaining({ reason: 'remote_unreadable', message: 'malformed tree' }),
    );
  });
});

describe('an entry', () => {
  const of = (mode: string, digit = '1') => ({ mode, id: id(digit) });

  it('is a directory by its mode', () => {
    expect(isDirectory(of('40000'))).toBe(true);
    for (const entry of [undefined, of('100644'), of('120000'), of('160000')]) {
      expect(isDirectory(entry)).toBe(false);
    }
  });

  it('is a regular file by its mode, executable or not', () => {
    for (const mode of ['100644', '100755']) expect(isRegularFile(of(mode))).toBe(true);
    for (const mode of ['40000', '120000', '160000']) expect(isRegularFile(of(mode))).toBe(false);
  });

  it('is the same if mode and id are equal, or if both entries are missing', () => {
    expect(isSameEntry(of('100644'), of('100644'))).toBe(true);
    expect(isSameEntry(undefined, undefined)).toBe(true);
    expect(isSameEntry(of('100644'), of('100755'))).toBe(false);
    expect(isSameEntry(of('100644'), of('100644', '2'))).toBe(false);
    expect(isSameEntry(of('100644'), undefined)).toBe(false);
  });
});
