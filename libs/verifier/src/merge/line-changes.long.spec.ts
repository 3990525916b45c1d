import { LineSteps } from '../line-steps';
import { mergeLines } from './merge-lines';

const steps = new LineSteps(Infinity);

const repeated = (words: number, times: number, step: number): string[] =>
  Array.from({ length: words * times }, (_, index) => `${(index * step) % words}\n`);

describe('lineChanges', () => {
  it('are undefined for a text in which every line may be any other, and so is a merge, on either side', () => {
    const [base, side] = [repeated(1_009, 64, 1), repeated(1_009, 64, 337)];
    expect(mergeLines(base, { ours: side, theirs: base }, steps)).toBeUndefined();
    expect(mergeLines(base, { ours: base, theirs: side }, steps)).toBeUndefined();
  });
});
