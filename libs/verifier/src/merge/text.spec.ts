import { LineSteps } from '../line-steps';
import { findRun, isTooLarge } from './text';

describe('findRun', () => {
  const text = [...'aabaabaaa'];

  it('finds the first place at or after a line', () => {
    expect(findRun(text, [...'aab'])).toBe(0);
    expect(findRun(text, [...'aab'], 1)).toBe(3);
    expect(findRun(text, [...'aaa'])).toBe(6);
    expect(findRun(text, [], 4)).toBe(4);
  });

  it('finds none if the lines are not consecutive', () => {
    expect(findRun(text, [...'abb'])).toBeUndefined();
    expect(findRun(text, [...'aab'], 4)).toBeUndefined();
    expect(findRun([], ['a'])).toBeUndefined();
  });
});

describe('isTooLarge', () => {
  const limits = { diffedFileBytes: 20, diffedFileLines: 3, diffedLines: 9, steps: new LineSteps(1) };
  const isLarge = (content: string) => isTooLarge(Buffer.from(content), limits);

  it('counts bytes', () => {
    expect(isLarge('x'.repeat(20))).toBe(false);
    expect(isLarge('x'.repeat(21))).toBe(true);
  });

  it('counts lines, including a last one without its newline', () => {
    expect(isLarge('a\nb\nc\n')).toBe(false);
    expect(isLarge('a\nb\nc')).toBe(false);
    expect(isLarge('a\nb\nc\nd')).toBe(true);
    expect(isLarge('\n\n\n\n')).toBe(true);
  });
});
