import { relativeText, spanText } from './spans';

const now = new Date('2026-11-23T12:00:00Z');

describe('durations', () => {
  it.each([
    [0, '0 s'],
    [-3, '0 s'],
    [45.4, '45 s'],
    [720, '12 min'],
    [3 * 3600, '3 h'],
    [3 * 3600 + 1250, '3 h 20 min'],
    [2 * 86_400 + 4 * 3600, '2 d 4 h'],
  ])('%p seconds are %s', (seconds, text) => expect(spanText(seconds)).toBe(text));

  it.each([
    ['2026-11-23T11:48:00Z', '12 min ago'],
    ['2026-11-23T12:12:00Z', 'in 12 min'],
    ['2026-11-23T12:00:02Z', 'now'],
  ])('%s is %s', (at, text) => expect(relativeText(at, now)).toBe(text));
});
