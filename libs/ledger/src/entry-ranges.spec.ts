import { Random } from '@plat/testing';
import { EntryRanges } from './entry-ranges';
import { Malformed } from './malformed';

describe('the entries that an erasure names', () => {
  it.each(['0', '3-7,9', '0-1,3,5-6', '9007199254740991', '1-9007199254740991'])('%s', (text) => {
    expect(EntryRanges.parse(text).toString()).toBe(text);
  });

  it('are in ranges, both ends included', () => {
    const ranges = EntryRanges.parse('3-7,9');
    expect(Array.from({ length: 11 }, (_, index) => ranges.includes(index))).toEqual(
      [0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 0].map(Boolean),
    );
    expect(ranges.last).toBe(9);
  });

  it.each([
    '',
    ',',
    '3,',
    ',3',
    '3-',
    '-3',
    '3-3',
    '7-3',
    '3,3',
    '3,4',
    '3-7,8',
    '3-7,7',
    '9,3-7',
    '03',
    '3-07',
    '0-0',
    ' 3',
    '3, 9',
    '+3',
    '3.5',
    '1e2',
    '3-7-9',
    '9007199254740992',
    '٣',
    '3\n',
  ])('are not %j', (text) => {
    expect(() => EntryRanges.parse(text)).toThrow(Malformed);
  });

  it('are found among 25,000 ranges', () => {
    const random = new Random(7);
    const indexes = Array.from({ length: 100_000 }, (_, index) => index).filter(() => random.chance(0.5));
    const ranges = EntryRanges.parse(EntryRanges.of(indexes).toString());
    const erased = new Set(indexes);
    let wrong = 0;
    for (let index = -1; index <= 100_001; index += 1) {
      if (ranges.includes(index) !== erased.has(index)) wrong += 1;
    }
    expect(wrong).toBe(0);
  });

  it('are made from ascending indexes alone', () => {
    expect(EntryRanges.of([1, 2, 3, 5, 7, 8]).toString()).toBe('1-3,5,7-8');
    for (const indexes of [[2, 1], [1, 1], [-1], [0.5], []]) {
      expect(() => EntryRanges.of(indexes)).toThrow(RangeError);
    }
  });
});
