import fc from 'fast-check';
import { relativeTime } from './relative-time';
import { shortIds } from './short-ids';
import { style, withStyles } from './style';
import { alignedTable, type Table, tabSeparated } from './table';
import { displayWidth, truncated } from './text-width';

const NOW = new Date('2026-01-02T03:04:05.000Z');
const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const TABLE: Table = {
  columns: [
    { title: 'REVIEW', as: 'id' },
    { title: 'STATUS', as: 'status' },
    { title: 'COMMIT', as: 'commit' },
    { title: 'WHEN', as: 'time' },
    { title: 'NAME', as: 'elastic' },
    'AUTHOR',
  ],
  rows: [
    [
      ID,
      'READY',
      'a'.repeat(40),
      '2026-01-02T03:00:05.000Z',
      'Add rate limits to every public route of the service',
      'alice',
    ],
    [ID.replace('e11', 'e12'), 'MERGED', undefined, '2025-12-31T03:04:05.000Z', '', undefined],
  ],
  whenEmpty: 'No review matches.',
};
const view = (width?: number) => alignedTable(TABLE, { style: style(false), width, now: NOW });

describe('a table', () => {
  it('shortens ids, shows times relative to now, and fits the terminal by its elastic columns', () => {
    expect(view(80)).toBe(
      [
        'REVIEW    STATUS  COMMIT      WHEN       NAME                             AUTHOR',
        '0c9a2e11  READY   aaaaaaaaaa  4 min ago  Add rate limits to every publi…  alice',
        '0c9a2e12  MERGED  -           2 d ago    -                                -',
        '',
      ].join('\n'),
    );
  });

  it.each([200, 120, 80, 60, 40, 30])('is never wider than %i columns', (width) => {
    for (const line of view(width).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it('colours a status, but no similar word elsewhere', () => {
    const named: Table = {
      columns: [{ title: 'S', as: 'status' }, 'NAME'],
      rows: [['FAILED', 'FAILED']],
      whenEmpty: '',
    };
    const coloured = withStyles(alignedTable(named, { style: style(true), now: NOW }));
    expect(coloured).toContain('\u001b[31mFAILED\u001b[39m  FAILED\n');
  });

  it('cuts a number last on a narrow terminal', () => {
    const numbers: Table = {
      columns: ['ENVIRONMENT', { title: 'PORT', as: 'number' }, { title: 'SEEN', as: 'time' }],
      rows: [['development', '17022', '2026-01-02T03:03:30.000Z']],
      whenEmpty: '',
    };
    const shown = (width: number) =>
      alignedTable(numbers, { style: style(false), width, now: NOW }).split('\n')[1];
    expect(shown(20)).toBe('deve…  17022  35 s …');
    expect(shown(12)).toBe('de…  17…  35…');
  });

  it('is complete in a pipe: full ids, exact times, no header', () => {
    expect(tabSeparated(TABLE).split('\n')[0]).toBe(
      [ID, 'READY', 'a'.repeat(40), '2026-01-02T03:00:05.000Z', TABLE.rows[0]?.[4], 'alice'].join('\t'),
    );
  });

  it('aligns wide characters and keeps a hostile name in its cell', () => {
    const name = '限流\u202e<img>\u001b[31m';
    const wide: Table = {
      columns: ['NAME', 'NEXT'],
      rows: [
        [name, 'x'],
        ['ab', 'y'],
      ],
      whenEmpty: '',
    };
    const lines = alignedTable(wide, { style: style(false), width: 40, now: NOW }).split('\n');
    expect(lines[1]).toBe('限流 <img> [31m  x');
    expect(displayWidth(lines[1]!.slice(0, -1))).toBe(displayWidth(lines[2]!.slice(0, -1)));
  });
});

describe('a text in a narrow place', () => {
  it('keeps whole characters, and marks the omission', () => {
    expect(truncated('限流限流', 6)).toBe('限流…');
    expect(truncated('👩‍👩‍👧‍👦 family', 4)).toBe('👩‍👩‍👧‍👦 …');
    expect(truncated('abc', 3)).toBe('abc');
    expect(truncated('abc', 0)).toBe('');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 20 }), (text, width) => {
        expect(displayWidth(truncated(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('a time from now', () => {
  it.each([
    ['2026-01-02T03:04:03.000Z', 'now'],
    ['2026-01-02T03:03:30.000Z', '35 s ago'],
    ['2026-01-02T02:05:05.000Z', '59 min ago'],
    ['2026-01-02T01:04:05.000Z', '2 h ago'],
    ['2025-12-03T03:04:05.000Z', '30 d ago'],
    ['2025-06-03T03:04:05.000Z', '2025-06-03'],
    ['2026-01-02T03:09:05.000Z', 'in 5 min'],
    ['soon', 'soon'],
  ])('%s is %s', (text, relative) => {
    expect(relativeTime(text, NOW)).toBe(relative);
  });
});

describe('a short id', () => {
  it('is the shortest end that distinguishes it from the others, of eight characters at least', () => {
    const twin = ID.replace('5b1f', '6b1f');
    expect([...shortIds([ID]).values()]).toEqual(['0c9a2e11']);
    expect([...shortIds([ID, twin, ID]).values()]).toEqual(['5b1f0c9a2e11', '6b1f0c9a2e11']);
    expect([...shortIds(['alice', 'alice']).values()]).toEqual([]);
  });
});
