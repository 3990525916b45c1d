import { LineSteps } from '../line-steps';
import { lineChanges } from './line-changes';

const steps = new LineSteps(Infinity);

const repeated = (words: number, times: number, step: number): string[] =>
  Array.from({ length: words * times }, (_, index) => `${(index * step) % words}\n`);

describe('lineChanges', () => {
  it('returns each change by the lines of both sides', () => {
    expect(lineChanges(['a', 'b', 'c', 'd'], ['a', 'x', 'y', 'c'], steps)).toEqual([
      { start: 1, end: 2, sideStart: 1, sideEnd: 3 },
      { start: 3, end: 4, sideStart: 4, sideEnd: 4 },
    ]);
    expect(lineChanges([], ['a'], steps)).toEqual([{ start: 0, end: 0, sideStart: 0, sideEnd: 1 }]);
    expect(lineChanges(['a'], ['a'], steps)).toEqual([]);
  });

  it('uses a shortest edit script if no line is rare', () => {
    const base = Array.from({ length: 200 }, (_, index): string => (index % 2 ? 'odd\n' : 'even\n'));
    const side = base.toSpliced(100, 1, 'new\n');
    expect(lineChanges(base, side, steps)).toEqual([{ start: 100, end: 101, sideStart: 100, sideEnd: 101 }]);
  });

  it('are undefined for a text in which every line may be any other', () => {
    expect(lineChanges(repeated(1_009, 64, 1), repeated(1_009, 64, 337), steps)).toBeUndefined();
  });
});
