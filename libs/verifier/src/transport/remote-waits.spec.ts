import { RemoteWaits } from './remote-waits';

describe('waits for a remote', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function observed() {
    const said: string[] = [];
    let serve = () => undefined as void;
    const slot = {
      yield: () => void said.push('yield'),
      resume: () => {
        said.push('resume');
        return new Promise<void>((resolve) => (serve = resolve));
      },
    };
    return { waits: new RemoteWaits(slot), said, serve: () => serve() };
  }

  const after = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve('bytes'), ms));

  it('keep the slot while all together take less than three quarters of a second', async () => {
    const { waits, said } = observed();
    for (let wait = 0; wait < 3; wait += 1) {
      const bytes = waits.awaitRemote(after(240));
      await jest.advanceTimersByTimeAsync(240);
      expect(await bytes).toBe('bytes');
    }
    expect(said).toEqual([]);
  });

  it('yield the slot after three quarters of a second, and end only with a new one', async () => {
    const { waits, said, serve } = observed();
    let isOver = false;
    void waits.awaitRemote(after(5_000)).then(() => (isOver = true));
    await jest.advanceTimersByTimeAsync(749);
    expect(said).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(said).toEqual(['yield']);
    await jest.advanceTimersByTimeAsync(4_250);
    expect({ said, isOver }).toEqual({ said: ['yield', 'resume'], isOver: false });
    serve();
    await jest.advanceTimersByTimeAsync(0);
    expect(isOver).toBe(true);
  });

  it('hold no slot for a byte now and then once that time is used up', async () => {
    const { waits, said, serve } = observed();
    for (let drip = 0; drip < 4; drip += 1) {
      const bytes = waits.awaitRemote(after(600));
      await jest.advanceTimersByTimeAsync(600);
      serve();
      await bytes;
    }
    expect(said).toEqual(['yield', 'resume', 'yield', 'resume', 'yield', 'resume']);
  });

  it('yield the slot if two are under way at once', async () => {
    const { waits, said, serve } = observed();
    const [first, second] = [waits.awaitRemote(after(1_500)), waits.awaitRemote(after(4_000))];
    await jest.advanceTimersByTimeAsync(1_500);
    expect(said).toEqual(['yield', 'resume']);
    serve();
    await first;
    await jest.advanceTimersByTimeAsync(2_500);
    serve();
    await second;
    expect(said.slice(2)).toEqual(['yield', 'resume']);
  });

  it('do nothing after the question is answered, even if a request is still under way', async () => {
    const { waits, said } = observed();
    const [short, long] = [waits.awaitRemote(after(10)), waits.awaitRemote(after(9_000))];
    await jest.advanceTimersByTimeAsync(10);
    await short;
    waits.end();
    await jest.advanceTimersByTimeAsync(9_000);
    expect(await long).toBe('bytes');
    expect(said).toEqual([]);
  });

  it('pass chunks on one by one, and close the source when the reader stops', async () => {
    const { waits } = observed();
    let isReturned = false;
    async function* numbers() {
      try {
        for (let number = 1; ; number += 1) yield number;
      } finally {
        isReturned = true;
      }
    }
    const seen: number[] = [];
    for await (const number of waits.each(numbers())) {
      seen.push(number);
      if (number === 3) break;
    }
    expect({ seen, isReturned }).toEqual({ seen: [1, 2, 3], isReturned: true });
  });
});
