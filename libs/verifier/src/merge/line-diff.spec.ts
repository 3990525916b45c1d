import fc from 'fast-check';
import { LineSteps } from '../line-steps';
import { diffLines, type Hunk } from './line-diff';

const limits = { editsMax: 1_000, steps: new LineSteps(Infinity) };
const lines = fc.array(fc.constantFrom('a', 'b', 'c', '}'), { maxLength: 30 });

function applyHunks(base: string[], hunks: Hunk[]): string[] {
  return hunks.reduceRight(
    (text, { start, deleted, inserted }) => text.toSpliced(start, deleted, ...inserted),
    base,
  );
}

/** The textbook algorithm: the fewest lines to delete and insert. */
function fewestEdits(base: string[], changed: string[]): number {
  let row = changed.map((_, index) => index + 1);
  row.unshift(0);
  base.forEach((line, x) => {
    const next = [x + 1];
    changed.forEach((other, y) => {
      const [above, left, corner] = [row[y + 1] as number, next[y] as number, row[y] as number];
      next.push(line === other ? corner : Math.min(above, left) + 1);
    });
    row = next;
  });
  return row.at(-1) as number;
}

describe('diffLines', () => {
  it('turns the base into the changed text with the fewest edits', () => {
    fc.assert(
      fc.property(lines, lines, (base, changed) => {
        const hunks = diffLines(base, changed, limits) ?? [];
        expect(applyHunks(base, hunks)).toEqual(changed);
        const edits = hunks.reduce((sum, { deleted, inserted }) => sum + deleted + inserted.length, 0);
        expect(edits).toBe(fewestEdits(base, changed));
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps hunks apart and in order', () => {
    fc.assert(
      fc.property(lines, lines, (base, changed) => {
        const hunks = diffLines(base, changed, limits) ?? [];
        hunks.slice(1).forEach((hunk, index) => {
          const before = hunks[index] as (typeof hunks)[number];
          expect(hunk.start).toBeGreaterThanOrEqual(before.start + before.deleted);
        });
      }),
    );
  });

  it('slides an insert and a delete among equal lines to their first place', () => {
    expect(diffLines(['x', 'a', 'a', 'a'], ['x', 'a', 'a', 'a', 'a'], limits)).toEqual([
      { start: 1, deleted: 0, inserted: ['a'] },
    ]);
    expect(diffLines(['x', 'a', 'a', 'a'], ['x', 'a', 'a'], limits)).toEqual([
      { start: 1, deleted: 1, inserted: [] },
    ]);
    expect(diffLines(['{', '}', 'z'], ['{', '}', '{', '}', 'z'], limits)).toEqual([
      { start: 0, deleted: 0, inserted: ['{', '}'] },
    ]);
    expect(diffLines(['a', 'b', 'a', 'c'], ['a', 'b', 'a', 'b', 'a', 'c'], limits)).toEqual([
      { start: 0, deleted: 0, inserted: ['a', 'b'] },
    ]);
  });

  it('returns one hunk for a line that became equal to its neighbour, whatever else changed', () => {
    const base = ['six', '', 'eight', 'nine', 'ten', ''];
    const hunk = { start: 2, deleted: 1, inserted: ['nine'] };
    expect(diffLines(base, ['six', '', 'nine', 'nine', 'ten', ''], { ...limits, editsMax: 10 })).toEqual([
      hunk,
    ]);
    expect(diffLines(base, ['six', '', 'nine', 'nine', 'ten', '', ''], { ...limits, editsMax: 10 })).toEqual([
      hunk,
      { start: 5, deleted: 0, inserted: [''] },
    ]);
  });

  it('finds nothing between equal texts, also if they are empty', () => {
    expect(diffLines([], [], { ...limits, editsMax: 0 })).toEqual([]);
    expect(diffLines(['a'], ['a'], { ...limits, editsMax: 0 })).toEqual([]);
  });

  it('gives up beyond the limit of edits', () => {
    fc.assert(
      fc.property(lines, lines, fc.nat({ max: 20 }), (base, changed, max) => {
        expect(diffLines(base, changed, { ...limits, editsMax: max }) !== undefined).toBe(
          fewestEdits(base, changed) <= max,
        );
      }),
    );
    const other = Array.from({ length: 50_000 }, (_, line) => `other ${line}`);
    expect(
      diffLines(
        other.map((line) => `${line}!`),
        other,
        limits,
      ),
    ).toBeUndefined();
  });

  it('counts equal lines as steps, because there may be more of them than of edits', () => {
    const [base, changed] = [60, 61].map((length) =>
      Array.from({ length: 40 }, () => [...Array<string>(length).fill('a'), 'b']).flat(),
    ) as [string[], string[]];
    const within = (steps: number) => () =>
      diffLines(base, changed, { editsMax: 100, steps: new LineSteps(steps) });
    expect(within(1_000_000)).not.toThrow();
    expect(within(5_000)).toThrow('lines take too long to compare');
  });
});
