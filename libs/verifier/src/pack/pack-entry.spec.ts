import { readPackEntry } from './pack-entry';

const bytes = (...values: number[]) => Buffer.from(values);
const unreadable = (message: string) =>
  expect.objectContaining({ reason: 'remote_unreadable', message }) as Error;

describe('the head of an entry', () => {
  it.each([
    ['in one byte', bytes(0x3f), 15, 1],
    ['in two', bytes(0xbf, 0x01), 15 + 16, 2],
    ['in three', bytes(0xb0, 0x80, 0x01), 2 ** 11, 3],
    [
      'in the most bytes that a pack can need',
      bytes(0xb0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01),
      2 ** 46,
      8,
    ],
  ])('has the size %s', (_, head, size, start) => {
    expect(readPackEntry(head, 0)).toEqual({ type: 'blob', offset: 0, start, size });
  });

  it.each([
    [bytes(0x01), 1],
    [bytes(0x7f), 127],
    [bytes(0x80, 0x00), 128],
    [bytes(0x81, 0x02), 258],
    [bytes(0xfe, 0xff, 0x7f), 2 ** 21 + 127],
  ])('of an offset delta counts back, each byte after the first adding one: %j', (back, distance) => {
    const offset = 2 ** 22;
    const pack = Buffer.alloc(offset + 16);
    Buffer.concat([bytes(0x65), back]).copy(pack, offset);
    expect(readPackEntry(pack, offset)).toEqual({
      type: 'offset-delta',
      offset,
      start: offset + 1 + back.length,
      size: 5,
      baseOffset: offset - distance,
    });
  });

  it('of an offset delta may count back to the first entry and no further', () => {
    const pack = Buffer.alloc(40);
    pack.set([0x65, 8], 20);
    expect(readPackEntry(pack, 20)).toMatchObject({ baseOffset: 12 });
    pack.set([0x65, 9], 20);
    expect(() => readPackEntry(pack, 20)).toThrow(unreadable('delta base outside of the pack'));
    pack.set([0x65, 0], 20);
    expect(() => readPackEntry(pack, 20)).toThrow(unreadable('delta base outside of the pack'));
  });

  it('of an id delta names its base', () => {
    expect(readPackEntry(Buffer.concat([bytes(0x75), Buffer.alloc(20, 0xab)]), 0)).toEqual({
      type: 'id-delta',
      offset: 0,
      start: 21,
      size: 5,
      baseId: 'ab'.repeat(20),
    });
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'pack cut'],
    ['a size without its end', bytes(0xb0), 'pack cut'],
    ['a size beyond all packs', Buffer.alloc(20, 0xbf), 'object size out of range'],
    ['an offset without its end', bytes(0x60, 0x80), 'pack cut'],
    [
      'an offset beyond all packs',
      Buffer.concat([bytes(0x60), Buffer.alloc(20, 0x80)]),
      'delta base out of range',
    ],
    ['a base id without its end', Buffer.concat([bytes(0x70), Buffer.alloc(19)]), 'pack cut'],
    ['kind 0', bytes(0x00), 'unknown kind of object'],
    ['kind 5', bytes(0x50), 'unknown kind of object'],
  ])('is refused if it is %s', (_, pack, message) => {
    expect(() => readPackEntry(pack, 0)).toThrow(unreadable(message));
  });
});
