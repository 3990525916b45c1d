import { TimeTaken } from './time-taken';

describe('the time that keys took lately', () => {
  beforeEach(() => jest.useFakeTimers({ now: 0 }));
  afterEach(() => jest.useRealTimers());

  it('a key that is alone is never above an equal part', () => {
    const time = new TimeTaken();
    time.add('a', 5_000);
    expect([time.isAboveEqual('a'), time.hasOthers('a')]).toEqual([false, false]);
  });

  it('a key that takes nothing has others while they take some', () => {
    const time = new TimeTaken();
    time.add('a', 5);
    expect(time.hasOthers('b')).toBe(true);
    jest.advanceTimersByTime(4_000);
    expect(time.hasOthers('b')).toBe(false);
  });

  it('a key that took more than the other is above, and the other is not', () => {
    const time = new TimeTaken();
    time.add('a', 500);
    time.add('b', 5);
    expect([time.isAboveEqual('a'), time.isAboveEqual('b')]).toEqual([true, false]);
  });

  it('two keys that took much are both above, next to one that took little', () => {
    const time = new TimeTaken();
    time.add('a', 500);
    time.add('b', 490);
    time.add('c', 5);
    expect(['a', 'b', 'c'].map((key) => time.isAboveEqual(key))).toEqual([true, true, false]);
  });

  it('time from long ago does not count', () => {
    const time = new TimeTaken();
    time.add('a', 500);
    jest.advanceTimersByTime(8_000);
    time.add('b', 5);
    expect([time.isAboveEqual('a'), time.isAboveEqual('b')]).toEqual([false, true]);
  });

  it('a key is alone again once the others have stopped', () => {
    const time = new TimeTaken();
    time.add('a', 500);
    time.add('b', 5);
    jest.advanceTimersByTime(4_000);
    expect(time.isAboveEqual('a')).toBe(false);
  });

  it('a key that took nothing is not above', () => {
    const time = new TimeTaken();
    time.add('a', 5);
    expect(time.isAboveEqual('b')).toBe(false);
  });
});
