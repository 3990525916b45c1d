import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './cursor';

const ID = '0190a0b0-c0d0-7000-8000-000000000001';

const moments = fc
  .tuple(
    fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    }),
    fc.option(fc.stringMatching(/^[0-9]{1,6}$/)),
  )
  .map(([date, fraction]) => `${date.toISOString().slice(0, 19)}${fraction === null ? '' : `.${fraction}`}Z`);

describe('a cursor', () => {
  it('is "a createdAt timestamp with nanoseconds, a comma, then the id"', () => {
    expect(encodeCursor({ createdAt: '2026-01-02T03:04:05.123456Z', id: ID })).toBe(
      `2026-01-02T03:04:05.123456000Z,${ID}`,
    );
    expect(encodeCursor({ createdAt: '2026-01-02T03:04:05Z', id: ID })).toBe(
      `2026-01-02T03:04:05.000000000Z,${ID}`,
    );
  });

  it('reads back as the place that it was made of', () => {
    fc.assert(
      fc.property(moments, (createdAt) => {
        const cursor = encodeCursor({ createdAt, id: ID });
        const place = decodeCursor(cursor)!;
        expect(place.id).toBe(ID);
        expect(encodeCursor(place)).toBe(cursor);
        expect(cursor.startsWith(createdAt.replace('Z', ''))).toBe(true);
      }),
    );
  });

  it.each([
    ['no comma', `2026-01-02T03:04:05Z${ID}`],
    ['nothing before the comma', `,${ID}`],
    ['nothing after the comma', '2026-01-02T03:04:05Z,'],
    ['no time', `yesterday,${ID}`],
    ['30 February', `2026-02-30T00:00:00Z,${ID}`],
    ['no id', '2026-01-02T03:04:05Z,17'],
    ['two ids', `2026-01-02T03:04:05Z,${ID},${ID}`],
    ['nothing', ''],
  ])('is not one of ours with %s', (_, text) => {
    expect(decodeCursor(text)).toBeUndefined();
  });

  it('is never read out of arbitrary text by an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => decodeCursor(text) === undefined));
  });
});
