import { FairQueue, QueueFull } from './fair-queue';

/** Tasks that end when they are told to, and the order in which they started. */
function bench(limits: { total: number; perKey: number; waitingPerKey?: number }) {
  const queue = new FairQueue({ waitingPerKey: 100, ...limits });
  const started: string[] = [];
  const running = new Map<string, () => void>();
  const run = (name: string, signal?: AbortSignal) =>
    queue.run(
      name.slice(0, 1),
      () => {
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
  return { queue, started, run, end, settle };
}

describe('FairQueue', () => {
  it('runs no more tasks at once than in total, and no more of one key than that one may have', async () => {
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
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('hands on what a task returns and throws, and frees its place either way', async () => {
    const { queue } = bench({ total: 1, perKey: 1 });
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(queue.run('a', () => Promise.resolve('result'))).resolves.toBe('result');
  });

  it('takes no more of a key than may wait', async () => {
    const { run, end, settle } = bench({ total: 1, perKey: 1, waitingPerKey: 1 });
    const first = run('a1');
    await settle();
    const second = run('a2');
    await settle();
    await expect(run('a3')).rejects.toBeInstanceOf(QueueFull);
    const other = run('b1');
    await end('a1');
    await end('a2');
    await end('b1');
    expect(await Promise.all([first, second, other])).toEqual(['a1', 'a2', 'b1']);
  });

  it('forgets a task whose caller gave up while it waited, and starts none of one who gave up before', async () => {
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
});
