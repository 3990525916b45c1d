import { FairShares, type ShareLimits } from './fair-shares';
import { TimeTaken } from './time-taken';

type Leave = () => void;

/** Shares of which a test sees who has entered, in order. */
function observed(limits: Partial<ShareLimits> & Pick<ShareLimits, 'total' | 'each'>) {
  const shares = new FairShares({ waitMs: 60_000, ...limits });
  const entered: string[] = [];
  const leaves: Leave[] = [];
  const ask = (key: string, name = key) =>
    Promise.resolve(shares.enter(key)).then((leave) => {
      entered.push(name);
      leaves.push(leave);
    });
  const leaveFirst = async () => {
    leaves.shift()!();
    await new Promise(setImmediate);
  };
  return { shares, entered, ask, leaveFirst };
}

describe('slots that several keys share', () => {
  it('are given at once while any is free', async () => {
    const { ask, entered } = observed({ total: 2, each: 2 });
    await Promise.all([ask('a'), ask('b')]);
    expect(entered).toEqual(['a', 'b']);
  });

  it('a key has at most its share, even if other slots are free', async () => {
    const { shares, ask, entered, leaveFirst } = observed({ total: 3, each: 2 });
    void ask('a', 'a1');
    void ask('a', 'a2');
    void ask('a', 'a3');
    await ask('b');
    expect(entered).toEqual(['a1', 'a2', 'b']);
    expect(shares.waiting).toBe(1);
    await leaveFirst();
    expect(entered).toEqual(['a1', 'a2', 'b', 'a3']);
  });

  describe('if a key has less while others ask', () => {
    const limits = { total: Infinity, each: 3, eachBeside: 1 };

    beforeEach(() => jest.useFakeTimers({ now: 0, doNotFake: ['setImmediate', 'nextTick'] }));
    afterEach(() => jest.useRealTimers());

    it('a key that is alone has its full share', async () => {
      const { ask, entered } = observed(limits);
      await Promise.all([ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3')]);
      expect(entered).toEqual(['a1', 'a2', 'a3']);
    });

    it('a key has less while another one holds a slot', async () => {
      const { shares, ask, entered } = observed(limits);
      await ask('b');
      jest.advanceTimersByTime(60_000);
      await ask('a', 'a1');
      void ask('a', 'a2');
      expect(entered).toEqual(['b', 'a1']);
      expect(shares.waiting).toBe(1);
    });

    it('a key has less for a second after another one asked; then its waiters enter without a leave', async () => {
      const { shares, ask, entered, leaveFirst } = observed(limits);
      await ask('b');
      await leaveFirst();
      await ask('a', 'a1');
      const others = [ask('a', 'a2'), ask('a', 'a3')];
      jest.advanceTimersByTime(900);
      expect(shares.waiting).toBe(2);
      jest.advanceTimersByTime(1_100);
      await Promise.all(others);
      expect(entered).toEqual(['b', 'a1', 'a2', 'a3']);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('a key keeps the slots that it held before another one came', async () => {
      const { shares, ask, entered, leaveFirst } = observed(limits);
      await Promise.all([ask('a', 'a1'), ask('a', 'a2'), ask('b')]);
      void ask('a', 'a3');
      await leaveFirst();
      expect(entered).toEqual(['a1', 'a2', 'b']);
      expect(shares.waiting).toBe(1);
      await leaveFirst();
      expect(entered).toEqual(['a1', 'a2', 'b', 'a3']);
    });
  });

  describe('with a pause after a key that takes more than an equal part of the time', () => {
    beforeEach(() => jest.useFakeTimers({ now: 0, doNotFake: ['setImmediate', 'nextTick'] }));
    afterEach(() => jest.useRealTimers());

    /** `a` held its slot for 100 ms and `b` for 10 ms; both gave it back, `a` last. */
    async function heavyBesideLight() {
      const seen = observed({ total: Infinity, each: 1, pause: 3 });
      await seen.ask('b', 'b1');
      jest.advanceTimersByTime(10);
      await seen.leaveFirst();
      await seen.ask('a', 'a1');
      jest.advanceTimersByTime(100);
      await seen.leaveFirst();
      return seen;
    }

    it('its slot stays empty for `pause` times as long as it was held', async () => {
      const { ask, entered } = await heavyBesideLight();
      void ask('a', 'a2');
      jest.advanceTimersByTime(299);
      await new Promise(setImmediate);
      expect(entered).toEqual(['b1', 'a1']);
      jest.advanceTimersByTime(1);
      await new Promise(setImmediate);
      expect(entered).toEqual(['b1', 'a1', 'a2']);
    });

    it('another key enters at once meanwhile, and has no pause itself', async () => {
      const { ask, entered, leaveFirst } = await heavyBesideLight();
      await ask('b', 'b2');
      await leaveFirst();
      await ask('b', 'b3');
      expect(entered).toEqual(['b1', 'a1', 'b2', 'b3']);
    });

    it('a key that is alone has no pause', async () => {
      const { ask, entered, leaveFirst } = observed({ total: Infinity, each: 1, pause: 3 });
      await ask('a', 'a1');
      jest.advanceTimersByTime(100);
      await leaveFirst();
      await ask('a', 'a2');
      expect(entered).toEqual(['a1', 'a2']);
    });

    it('time that is counted elsewhere decides whether a key pauses and whether it is alone', async () => {
      const time = new TimeTaken();
      const { ask, entered, leaveFirst } = observed({
        total: Infinity,
        each: 2,
        eachBeside: 1,
        pause: 3,
        time,
      });
      time.add('a', 100);
      time.add('b', 5);
      await ask('a', 'a1');
      void ask('a', 'a2');
      jest.advanceTimersByTime(10);
      await leaveFirst();
      jest.advanceTimersByTime(29);
      await new Promise(setImmediate);
      expect(entered).toEqual(['a1']);
      jest.advanceTimersByTime(1);
      await new Promise(setImmediate);
      expect(entered).toEqual(['a1', 'a2']);
    });

    it('no pause is longer than a second', async () => {
      const { ask, entered, leaveFirst } = await heavyBesideLight();
      jest.advanceTimersByTime(300);
      await ask('a', 'a2');
      jest.advanceTimersByTime(900);
      await ask('b', 'b2');
      jest.advanceTimersByTime(20);
      entered.length = 0;
      await leaveFirst();
      void ask('a', 'a3');
      jest.advanceTimersByTime(1_000);
      await new Promise(setImmediate);
      expect(entered).toEqual(['a3']);
    });
  });

  it('waiters are served in turn, key by key, and in the order of arrival within a key', async () => {
    const { ask, entered, leaveFirst } = observed({ total: 1, each: 1 });
    await ask('z');
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void ask(name[0]!, name);
    for (let i = 0; i < 6; i++) await leaveFirst();
    expect(entered).toEqual(['z', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('a waiter gets SERVICE_UNAVAILABLE after the longest wait, and takes no slot later', async () => {
    const { shares, ask, entered, leaveFirst } = observed({ total: 1, each: 1, waitMs: 10 });
    await ask('a');
    await expect(ask('b')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(shares.waiting).toBe(0);
    await leaveFirst();
    await ask('c');
    expect(entered).toEqual(['a', 'c']);
  });

  it('a waiter that gives up leaves the line at once', async () => {
    const { shares, ask, entered, leaveFirst } = observed({ total: 1, each: 1 });
    await ask('a');
    const leaving = new AbortController();
    const gone = Promise.resolve(shares.enter('b', leaving.signal));
    void ask('c');
    leaving.abort();
    await expect(gone).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(shares.waiting).toBe(1);
    await leaveFirst();
    expect(entered).toEqual(['a', 'c']);
  });

  it('a slot that is given back twice counts once', async () => {
    const shares = new FairShares({ total: 1, each: 1, waitMs: 10 });
    const leave = await shares.enter('a');
    leave();
    leave();
    await shares.enter('a');
    await expect(shares.enter('b')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('ten thousand keys that come and go, in any order, leave nothing behind', async () => {
    const shares = new FairShares({ total: 7, each: 3, waitMs: 60_000 });
    let inside = 0;
    let most = 0;
    const visit = async (key: string) => {
      const leave = await shares.enter(key);
      most = Math.max(most, ++inside);
      await new Promise(setImmediate);
      inside -= 1;
      leave();
    };
    await Promise.all(Array.from({ length: 10_000 }, (_, place) => visit(`${place % 97}`)));
    expect({ inside, most, waiting: shares.waiting }).toEqual({ inside: 0, most: 7, waiting: 0 });
  });
});
