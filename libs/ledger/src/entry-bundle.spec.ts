import { decodeEntries, encodeEntries } from './entry-bundle';
import { Malformed } from './malformed';

const texts = ['one', '', 'drei', 'x'.repeat(65_535)];
const entries = texts.map((text) => Buffer.from(text));

describe('a bundle of entries', () => {
  it('has each entry after its length', () => {
    expect(encodeEntries([Buffer.from('ab'), Buffer.from('')])).toEqual(Buffer.from([0, 2, 97, 98, 0, 0]));
    expect(decodeEntries(encodeEntries(entries), entries.length).map(String)).toEqual(texts);
  });

  it('is read from a view of other bytes', () => {
    const bytes = Buffer.concat([Buffer.from([0xff]), encodeEntries(entries)]);
    expect(decodeEntries(new Uint8Array(bytes).subarray(1), 4).map(String)).toEqual(texts);
  });

  it('has no entry of more than 65,535 bytes', () => {
    expect(() => encodeEntries([Buffer.alloc(65_536)])).toThrow(RangeError);
  });

  it.each([
    ['fewer entries', encodeEntries(entries.slice(0, 3))],
    ['more entries', encodeEntries([...entries, ...entries])],
    ['an entry that is cut off', encodeEntries(entries).subarray(0, -1)],
    ['a length that is cut off', encodeEntries(entries.slice(0, 3)).subarray(0, -5)],
    ['a byte after its entries', Buffer.concat([encodeEntries(entries), Buffer.alloc(1)])],
    ['nothing', Buffer.alloc(0)],
  ])('is refused with %s', (_what, bytes) => {
    expect(() => decodeEntries(bytes, entries.length)).toThrow(Malformed);
  });
});
