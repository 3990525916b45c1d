import { FairQueue, type Place, QueueFull } from './fair-queue';

/** Tasks that a case ends by name, and the order in which they started. */
function bench(limits: { total: number; perKey: number; waitingPerKey?: number; away?: number }) {
  const queue = new FairQueue({ waitingPerKey: 100, away: 100, ...limits });
  const places = new Map<string, Place>();
  const started: string[] = [];
  const running = new Map<string, () => void>();
  const run = (name: string, signal?: AbortSignal) =>
    queue.run(
      name.slice(0, 1),
      (place) => {
        places.set(name, place);
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
  const placeOf = (name: string) => places.get(name) as Place;
  return { queue, started, run, end, settle, placeOf };
}

describe('FairQueue', () => {
  it('runs no more tasks at once than in total, and no more of one key than its limit', async () => {
    const { started, run, end, settle } = bench({ total: 3, perKey: 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void run(name);
    await settle();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('a1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  });

  it('gives a free place to the key that was served longest ago', async () => {
    const { started, run, end, settle } = bench({ total: 1, perKey: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) void run(name);
    await settle();
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']) await end(name);
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('gives a free place first to a key that was never served, however many tasks of other keys wait', async () => {
    const { run, end, started, settle } = bench({ total: 1, perKey: 1 });
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']) void run(name);
    await settle();
    await end('a1');
    await end('b1');
    await end('c1');
    void run('v1');
    await end('a2');
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'v1']);
  });

  it('passes on the result or error of a task, and frees its place either way', async () => {
    const { queue } = bench({ total: 1, perKey: 1 });
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(queue.run('a', () => Promise.resolve('result'))).resolves.toBe('result');
  });

  it('refuses more waiting tasks of a key than its limit', async () => {
    const { run, end, settle } = bench({ total: 1, perKey: 1, waitingPerKey: 1 });
    const first = run('a1');
    await settle();
    const second = run('a2');
    await settle();
    await expect(run('a3')).rejects.toBeInstanceOf(QueueFull);
    const other = run('b1');
    await end('a1');
    await end('b1');
    await end('a2');
    expect(await Promise.all([first, second, other])).toEqual(['a1', 'a2', 'b1']);
  });

  it('drops a task if its caller aborts while it waits, and starts none if its caller aborted before', async () => {
    const { started, run, end, settle } = bench({ total: 1, perKey: 1 });
    void run('a1');
    await settle();
    const stop = new AbortController();
    const [alone, beside] = [run('b1', stop.signal), run('a2', stop.signal)];
    void run('a3');
    await settle();
    stop.abort(new Error('enough'));
    await expect(alone).rejects.toThrow('enough');
    await expect(beside).rejects.toThrow('enough');
    await expect(run('c1', stop.signal)).rejects.toThrow('enough');
    await end('a1');
    expect(started).toEqual(['a1', 'a3']);
  });

  describe('a task that has given up its place', () => {
    it('leaves its place to others, and gets another one before the tasks of its key that have not begun', async () => {
      const { queue, started, run, end, settle, placeOf } = bench({ total: 1, perKey: 2 });
      for (const name of ['a1', 'b1', 'a2']) void run(name);
      await settle();
      placeOf('a1').leave();
      await settle();
      expect(started).toEqual(['a1', 'b1']);
      expect(queue.load).toEqual({ running: 1, waiting: 1, silent: 1 });
      let isBack = false;
      void placeOf('a1')
        .regain()
        .then(() => (isBack = true));
      await settle();
      expect(isBack).toBe(false);
      await end('b1');
      expect({ isBack, started }).toEqual({ isBack: true, started: ['a1', 'b1'] });
      await end('a1');
      expect(started).toEqual(['a1', 'b1', 'a2']);
    });

    it("still counts towards its key's limit", async () => {
      const { started, run, settle, placeOf } = bench({ total: 2, perKey: 1 });
      for (const name of ['a1', 'a2', 'b1']) void run(name);
      await settle();
      placeOf('a1').leave();
      await settle();
      expect(started).toEqual(['a1', 'b1']);
    });

    it("is evicted if there are too many, but a key's only one is not evicted while another key has more", async () => {
      const { run, settle, placeOf } = bench({ total: 5, perKey: 2, away: 3 });
      for (const name of ['v1', 'a1', 'a2', 'b1']) {
        void run(name);
        await settle();
        placeOf(name).leave();
      }
      const evicted = ['v1', 'a1', 'a2', 'b1'].filter((name) => placeOf(name).evicted.aborted);
      expect(evicted).toEqual(['a1']);
    });

    it('is evicted if there are too many, and the one that gave up its place first goes first', async () => {
      const { run, settle, placeOf } = bench({ total: 1, perKey: 3, away: 1 });
      for (const name of ['a1', 'b1', 'c1']) {
        void run(name);
        await settle();
        placeOf(name).leave();
      }
      expect(['a1', 'b1', 'c1'].map((name) => placeOf(name).evicted.aborted)).toEqual([true, false, false]);
    });

    it('leaves no state behind if it ends without a place, or while it waits for one', async () => {
      const { queue, run, end, settle, placeOf } = bench({ total: 1, perKey: 3 });
      for (const name of ['a1', 'a2', 'b1']) {
        void run(name);
        await settle();
        if (name !== 'b1') placeOf(name).leave();
      }
      void placeOf('a2').regain();
      await end('a1');
      await end('a2');
      expect(queue.load).toEqual({ running: 1, waiting: 0, silent: 0 });
      await end('b1');
      expect(queue.load).toEqual({ running: 0, waiting: 0, silent: 0 });
    });
  });
});
