import { LiveReads, type LiveSource, type Reads, type Surroundings } from './live-reads';
import { ReadFailure } from './read-failure';

/** A page whose clock stands still until something waits for it, and which can be hidden. */
class Page implements Surroundings {
  /** The pauses that were asked for, in milliseconds. */
  readonly pauses: number[] = [];
  private time = 0;
  private hidden = false;
  private readonly shown = new Set<() => void>();
  private readonly listeners = new Set<() => void>();

  now = (): Date => new Date(this.time);

  pass(milliseconds: number): void {
    this.time += milliseconds;
  }

  delay(milliseconds: number, signal: AbortSignal): Promise<void> {
    this.pauses.push(milliseconds);
    this.pass(milliseconds);
    return new Promise((resolve, reject) => {
      setImmediate(() => (signal.aborted ? reject(signal.reason as Error) : resolve()));
    });
  }

  whenVisible(): Promise<void> {
    return this.hidden ? new Promise((resolve) => this.shown.add(resolve)) : Promise.resolve();
  }

  onHidden(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  hide(): void {
    this.hidden = true;
    for (const listener of this.listeners) listener();
  }

  show(): void {
    this.hidden = false;
    for (const resolve of this.shown) resolve();
  }
}

/** A wait that never ends by itself. */
const forEver = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('a place that is read live', () => {
  const stops: (() => void)[] = [];
  afterEach(() => stops.splice(0).forEach((stop) => stop()));

  function start(source: Partial<LiveSource<number>>, page = new Page()) {
    const states: Reads<number>[] = [];
    let heard = (): void => undefined;
    const live = new LiveReads<number>({ load: () => Promise.resolve(1), ...source }, page, (state) => {
      states.push(state);
      heard();
    });
    stops.push(() => live.stop());
    void live.run();
    /** Waits until a state is shown for which this holds. */
    const until = async (holds: (state: Reads<number>) => boolean): Promise<Reads<number>> => {
      for (;;) {
        const found = states.find(holds);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => (heard = resolve));
      }
    };
    return { live, page, states, until };
  }

  it('is read, waited for, and read again when it has changed', async () => {
    let [loads, waits] = [0, 0];
    const { until, page } = start({
      load: () => Promise.resolve(++loads),
      awaitChange: (signal) => {
        page.pass(20_000);
        return ++waits === 1 ? Promise.resolve(true) : forEver(signal);
      },
    });
    await until(({ content }) => content === 2);
    expect(page.pauses).toEqual([]);
  });

  it('is asked for gently if the service answers at once that nothing has changed', async () => {
    let waits = 0;
    const { until, page } = start({
      awaitChange: () => Promise.resolve(++waits > 3),
      load: () => Promise.resolve(waits),
    });
    await until(({ content }) => content === 4);
    expect(page.pauses.slice(0, 3)).toEqual([10_000, 10_000, 10_000]);
  });

  it('is confirmed by an unchanged answer only if that is all it shows', async () => {
    const unchanged = () => Promise.resolve(false);
    const whole = start({ awaitChange: unchanged, confirms: true });
    await whole.until(({ asOf }) => asOf!.getTime() >= 30_000);
    const part = start({ awaitChange: unchanged });
    expect((await part.until(({ asOf }) => asOf!.getTime() > 0)).asOf!.getTime()).toBeGreaterThanOrEqual(
      120_000,
    );
  });

  it('keeps what it has while it fails, tries again at growing distances, and says when it is back', async () => {
    let attempts = 0;
    const { until, page, states } = start({
      load: () => {
        attempts += 1;
        return attempts === 1 || attempts > 4
          ? Promise.resolve(attempts)
          : Promise.reject(new ReadFailure('unreachable', 'away'));
      },
      awaitChange: (signal) => (attempts === 1 ? Promise.resolve(true) : forEver(signal)),
    });
    const failed = await until(({ failure }) => failure !== undefined);
    expect(failed).toMatchObject({ content: 1, failure: { kind: 'unreachable' } });
    await until(({ content }) => content === 5);
    expect(states.at(-1)!.failure).toBeUndefined();
    expect(page.pauses).toEqual([500, 1000, 2000, 4000]);
  });

  it('asks nothing while the page is hidden, and reads at once when it is seen', async () => {
    let loads = 0;
    const { until, page } = start({ load: () => Promise.resolve(++loads), awaitChange: forEver });
    await until(({ content }) => content === 1);
    page.hide();
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(loads).toBe(1);
    page.show();
    await until(({ content }) => content === 2);
  });

  it('is read again at once if the person asks, also one that does not repeat', async () => {
    let loads = 0;
    const page = new Page();
    page.delay = (_milliseconds, signal) => forEver(signal);
    const { until, live } = start({ load: () => Promise.resolve(++loads), repeats: false }, page);
    await until(({ content }) => content === 1);
    live.again();
    await until(({ content }) => content === 2);
  });

  it('shows what comes early until the rest is there, and nothing after its stop', async () => {
    const { states, until, live } = start({
      load: (_signal, early) => {
        early(-1);
        return Promise.resolve(1);
      },
      awaitChange: forEver,
    });
    await until(({ content }) => content === 1);
    expect(states.map(({ content }) => content)).toEqual([-1, 1]);
    live.stop();
    await new Promise(setImmediate);
    expect(states).toHaveLength(2);
  });
});
