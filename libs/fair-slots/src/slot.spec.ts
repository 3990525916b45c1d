import { FairSlots } from './fair-slots';
import { CallerGone, LineFull } from './refused-slot';
import type { Slot } from './slot';
import type { SlotLimits } from './slot-limits';

/** Tasks that a case ends by name, and the order in which they started. */
function bench(limits: SlotLimits) {
  const slots = new FairSlots(limits);
  const held = new Map<string, Slot>();
  const started: string[] = [];
  const running = new Map<string, () => void>();
  const run = (name: string, signal?: AbortSignal) =>
    slots.run(
      name.slice(0, 1),
      (slot) => {
        held.set(name, slot);
        started.push(name);
        return new Promise<string>((resolve) => running.set(name, () => resolve(name)));
      },
      signal,
    );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    running.get(name)?.();
    await settle();
  };
  const slotOf = (name: string) => held.get(name) as Slot;
  return { slots, started, run, end, settle, slotOf };
}

describe('work that runs with a slot', () => {
  it('runs no more tasks at once than in total, and no more of one key than its limit', async () => {
    const { started, run, end, settle } = bench({ total: 3, each: 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void run(name);
    await settle();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('a1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  });

  it('gives a free slot to the key that was served longest ago', async () => {
    const { started, run, end, settle } = bench({ total: 1, each: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) void run(name);
    await settle();
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']) await end(name);
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('gives a free slot first to a key that was never served, however many tasks of other keys wait', async () => {
    const { run, end, started, settle } = bench({ total: 1, each: 1 });
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']) void run(name);
    await settle();
    await end('a1');
    await end('b1');
    await end('c1');
    void run('v1');
    await end('a2');
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'v1']);
  });

  it('passes on the result or error of a task, and releases its slot either way', async () => {
    const { slots } = bench({ total: 1, each: 1 });
    await expect(slots.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(slots.run('a', () => Promise.resolve('result'))).resolves.toBe('result');
  });

  it('refuses more waiting tasks of a key than its limit', async () => {
    const { run, end, settle } = bench({ total: 1, each: 1, waitingEach: 1 });
    const first = run('a1');
    await settle();
    const second = run('a2');
    await settle();
    await expect(run('a3')).rejects.toMatchObject({ cause: expect.any(LineFull) });
    const other = run('b1');
    await end('a1');
    await end('b1');
    await end('a2');
    expect(await Promise.all([first, second, other])).toEqual(['a1', 'a2', 'b1']);
  });

  it('drops a task if its caller aborts while it waits, and starts none if its caller aborted before', async () => {
    const { started, run, end, settle } = bench({ total: 1, each: 1 });
    void run('a1');
    await settle();
    const stop = new AbortController();
    const [alone, beside] = [run('b1', stop.signal), run('a2', stop.signal)];
    void run('a3');
    await settle();
    stop.abort();
    const gone = { code: 'SERVICE_UNAVAILABLE', cause: expect.any(CallerGone) };
    await expect(alone).rejects.toMatchObject(gone);
    await expect(beside).rejects.toMatchObject(gone);
    await expect(run('c1', stop.signal)).rejects.toMatchObject(gone);
    await end('a1');
    expect(started).toEqual(['a1', 'a3']);
  });

  describe('a task that has yielded its slot', () => {
    it('leaves the slot to others, and gets another one before the tasks of its key that have not begun', async () => {
      const { slots, started, run, end, settle, slotOf } = bench({ total: 1, each: 2 });
      for (const name of ['a1', 'b1', 'a2']) void run(name);
      await settle();
      slotOf('a1').yield();
      await settle();
      expect(started).toEqual(['a1', 'b1']);
      expect(slots.load).toEqual({ held: 1, waiting: 1, yielded: 1 });
      let isBack = false;
      void slotOf('a1')
        .resume()
        .then(() => (isBack = true));
      await settle();
      expect(isBack).toBe(false);
      await end('b1');
      expect({ isBack, started }).toEqual({ isBack: true, started: ['a1', 'b1'] });
      await end('a1');
      expect(started).toEqual(['a1', 'b1', 'a2']);
    });

    it("still counts towards its key's limit", async () => {
      const { started, run, settle, slotOf } = bench({ total: 2, each: 1 });
      for (const name of ['a1', 'a2', 'b1']) void run(name);
      await settle();
      slotOf('a1').yield();
      await settle();
      expect(started).toEqual(['a1', 'b1']);
    });

    it("is ended if there are too many, but a key's only one is not ended while another key has more", async () => {
      const { run, settle, slotOf } = bench({ total: 5, each: 2, yielded: 3 });
      for (const name of ['v1', 'a1', 'a2', 'b1']) {
        void run(name);
        await settle();
        slotOf(name).yield();
      }
      const ended = ['v1', 'a1', 'a2', 'b1'].filter((name) => slotOf(name).revoked.aborted);
      expect(ended).toEqual(['a1']);
    });

    it('is ended if there are too many, the one that yielded its slot first before the others', async () => {
      const { run, settle, slotOf } = bench({ total: 1, each: 3, yielded: 1 });
      for (const name of ['a1', 'b1', 'c1']) {
        void run(name);
        await settle();
        slotOf(name).yield();
      }
      // a1 has not ended yet when c1 yields, and b1 is one too many nevertheless.
      expect(['a1', 'b1', 'c1'].map((name) => slotOf(name).revoked.aborted)).toEqual([true, true, false]);
    });

    it('leaves no state behind if it ends without a slot, or while it waits for one', async () => {
      const { slots, run, end, settle, slotOf } = bench({ total: 1, each: 3 });
      for (const name of ['a1', 'a2', 'b1']) {
        void run(name);
        await settle();
        if (name !== 'b1') slotOf(name).yield();
      }
      void slotOf('a2').resume();
      await end('a1');
      await end('a2');
      expect(slots.load).toEqual({ held: 1, waiting: 0, yielded: 0 });
      await end('b1');
      expect(slots.load).toEqual({ held: 0, waiting: 0, yielded: 0 });
    });
  });
});
