import { FairSlots } from './fair-slots';
import { CallerGone } from './refused-slot';
import type { Slot } from './slot';
import type { SlotLimits } from './slot-limits';
import { TimeTaken } from './time-taken';

/** Slots that record who acquired one, in order. */
function observed(limits: SlotLimits) {
  const slots = new FairSlots({ waitMs: 60_000, ...limits });
  const served: string[] = [];
  const held: Slot[] = [];
  const ask = (key: string, name = key, gone?: AbortSignal) =>
    slots.acquire(key, gone).then((slot) => {
      served.push(name);
      held.push(slot);
    });
  const releaseFirst = async () => {
    held.shift()!.release();
    await new Promise(setImmediate);
  };
  const waiting = () => slots.load.waiting;
  return { slots, served, ask, releaseFirst, waiting };
}

describe('slots that several keys share', () => {
  it('are given at once while any is free', async () => {
    const { ask, served } = observed({ total: 2, each: 2 });
    await Promise.all([ask('a'), ask('b')]);
    expect(served).toEqual(['a', 'b']);
  });

  it('a key has at most its share, even if other slots are free', async () => {
    const { waiting, ask, served, releaseFirst } = observed({ total: 3, each: 2 });
    void ask('a', 'a1');
    void ask('a', 'a2');
    void ask('a', 'a3');
    await ask('b');
    expect(served).toEqual(['a1', 'a2', 'b']);
    expect(waiting()).toBe(1);
    await releaseFirst();
    expect(served).toEqual(['a1', 'a2', 'b', 'a3']);
  });

  describe('if a key has less while others ask', () => {
    const limits = { total: Infinity, each: 3, eachBeside: 1 };

    beforeEach(() => jest.useFakeTimers({ now: 0, doNotFake: ['setImmediate', 'nextTick'] }));
    afterEach(() => jest.useRealTimers());

    it('a key that is alone has its full share', async () => {
      const { ask, served } = observed(limits);
      await Promise.all([ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3')]);
      expect(served).toEqual(['a1', 'a2', 'a3']);
    });

    it('a key has less while another one holds a slot', async () => {
      const { waiting, ask, served } = observed(limits);
      await ask('b');
      jest.advanceTimersByTime(60_000);
      await ask('a', 'a1');
      void ask('a', 'a2');
      expect(served).toEqual(['b', 'a1']);
      expect(waiting()).toBe(1);
    });

    it('a key has less for a second after another one asked; then its waiters are served without a release', async () => {
      const { waiting, ask, served, releaseFirst } = observed(limits);
      await ask('b');
      await releaseFirst();
      await ask('a', 'a1');
      const others = [ask('a', 'a2'), ask('a', 'a3')];
      jest.advanceTimersByTime(900);
      expect(waiting()).toBe(2);
      jest.advanceTimersByTime(1_100);
      await Promise.all(others);
      expect(served).toEqual(['b', 'a1', 'a2', 'a3']);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('a key keeps the slots that it held before another one came', async () => {
      const { waiting, ask, served, releaseFirst } = observed(limits);
      await Promise.all([ask('a', 'a1'), ask('a', 'a2'), ask('b')]);
      void ask('a', 'a3');
      await releaseFirst();
      expect(served).toEqual(['a1', 'a2', 'b']);
      expect(waiting()).toBe(1);
      await releaseFirst();
      expect(served).toEqual(['a1', 'a2', 'b', 'a3']);
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
      await seen.releaseFirst();
      await seen.ask('a', 'a1');
      jest.advanceTimersByTime(100);
      await seen.releaseFirst();
      return seen;
    }

    it('its slot stays empty for `pause` times as long as it was held', async () => {
      const { ask, served } = await heavyBesideLight();
      void ask('a', 'a2');
      jest.advanceTimersByTime(299);
      await new Promise(setImmediate);
      expect(served).toEqual(['b1', 'a1']);
      jest.advanceTimersByTime(1);
      await new Promise(setImmediate);
      expect(served).toEqual(['b1', 'a1', 'a2']);
    });

    it('another key is served at once meanwhile, and has no pause itself', async () => {
      const { ask, served, releaseFirst } = await heavyBesideLight();
      await ask('b', 'b2');
      await releaseFirst();
      await ask('b', 'b3');
      expect(served).toEqual(['b1', 'a1', 'b2', 'b3']);
    });

    it('a key that is alone has no pause', async () => {
      const { ask, served, releaseFirst } = observed({ total: Infinity, each: 1, pause: 3 });
      await ask('a', 'a1');
      jest.advanceTimersByTime(100);
      await releaseFirst();
      await ask('a', 'a2');
      expect(served).toEqual(['a1', 'a2']);
    });

    it('time that is counted elsewhere decides whether a key pauses and whether it is alone', async () => {
      const time = new TimeTaken();
      const { ask, served, releaseFirst } = observed({
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
      await releaseFirst();
      jest.advanceTimersByTime(29);
      await new Promise(setImmediate);
      expect(served).toEqual(['a1']);
      jest.advanceTimersByTime(1);
      await new Promise(setImmediate);
      expect(served).toEqual(['a1', 'a2']);
    });

    it('a slot stays empty for as long as its holder says', async () => {
      const { slots, ask, served } = observed({ total: 1, each: 1 });
      const slot = await slots.acquire('a');
      void ask('b');
      slot.release(10);
      await jest.advanceTimersByTimeAsync(9);
      expect(served).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(served).toEqual(['b']);
    });

    it('no pause is longer than a second', async () => {
      const { ask, served, releaseFirst } = await heavyBesideLight();
      jest.advanceTimersByTime(300);
      await ask('a', 'a2');
      jest.advanceTimersByTime(900);
      await ask('b', 'b2');
      jest.advanceTimersByTime(20);
      served.length = 0;
      await releaseFirst();
      void ask('a', 'a3');
      jest.advanceTimersByTime(1_000);
      await new Promise(setImmediate);
      expect(served).toEqual(['a3']);
    });
  });

  it('waiters are served in turn, key by key, and in the order of arrival within a key', async () => {
    const { ask, served, releaseFirst } = observed({ total: 1, each: 1 });
    await ask('z');
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void ask(name[0]!, name);
    for (let i = 0; i < 6; i++) await releaseFirst();
    expect(served).toEqual(['z', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('a waiter gets SERVICE_UNAVAILABLE after the longest wait, and takes no slot later', async () => {
    const { waiting, ask, served, releaseFirst } = observed({ total: 1, each: 1, waitMs: 10 });
    await ask('a');
    await expect(ask('b')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(waiting()).toBe(0);
    await releaseFirst();
    await ask('c');
    expect(served).toEqual(['a', 'c']);
  });

  it('a waiter that gives up leaves the line at once', async () => {
    const { waiting, ask, served, releaseFirst } = observed({ total: 1, each: 1 });
    await ask('a');
    const leaving = new AbortController();
    const gone = ask('b', 'b', leaving.signal);
    void ask('c');
    leaving.abort();
    await expect(gone).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: expect.any(CallerGone) });
    expect(waiting()).toBe(1);
    await releaseFirst();
    expect(served).toEqual(['a', 'c']);
  });

  it('a slot that is released twice counts once', async () => {
    const slots = new FairSlots({ total: 1, each: 1, waitMs: 10 });
    const slot = await slots.acquire('a');
    slot.release();
    slot.release();
    await slots.acquire('a');
    await expect(slots.acquire('b')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
