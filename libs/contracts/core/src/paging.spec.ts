import { decodeCursor } from './cursor';
import { newId } from './ids';
import { cutPage, pageSize } from './paging';

describe('the size of a page', () => {
  it.each([
    ['is 50 unless given', undefined, 50],
    ['is what was asked for', 7, 7],
    ['below 1 means the default', 0, 50],
    ['below 1 means the default, however far below', -3, 50],
    ['above the maximum means the maximum', 201, 200],
    ['above the maximum means the maximum, however far above', Infinity, 200],
    ['may be the maximum', 200, 200],
    ['may be 1', 1, 1],
  ])('%s', (_, limit, size) => {
    expect(pageSize(limit)).toBe(size);
  });
});

describe('a page', () => {
  const rows = [3, 2, 1].map((second) => ({ createdAt: `2026-01-01T00:00:0${second}.000000Z`, id: newId() }));

  it('names the next one by the place of its last row', () => {
    const { rows: page, nextCursor } = cutPage(rows, 2, (row) => row);
    expect(page).toEqual(rows.slice(0, 2));
    expect(decodeCursor(nextCursor!)).toEqual(rows[1]);
  });

  it('names none when it reaches the end', () => {
    expect(cutPage(rows, 3, (row) => row)).toEqual({ rows });
    expect(cutPage([], 3, (row: never) => row)).toEqual({ rows: [] });
  });
});
