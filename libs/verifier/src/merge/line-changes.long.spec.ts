import { LineSteps } from '../line-steps';
import { lineChanges } from './line-changes';

const steps = new LineSteps(Infinity);

const repeated = (words: number, times: number, step: number): string[] =>
  Array.from({ length: words * times }, (_, index) => `${(index * step) % words}\n`);

describe('lineChanges', () => {
  it('are undefined for a text in which every line may be any other, on either side', () => {
    const [base, side] = [repeated(1_009, 64, 1), repeated(1_009, 64, 337)];
    expect(lineChanges(base, side, steps)).toBeUndefined();
    expect(lineChanges(side, base, steps)).toBeUndefined();
  });
});
