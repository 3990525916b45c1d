import fc from 'fast-check';
import { FairSlots } from './fair-slots';
import { REMEMBERED_MAX, ServedKeys } from './served-keys';
import type { Slot } from './slot';

type Does = 'ask' | 'leave' | 'release' | 'yield' | 'resume';
interface Step {
  does: Does;
  key: string;
  place: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Does>('ask') },
    { weight: 4, arbitrary: fc.constant<Does>('release') },
    fc.constantFrom<Does>('leave', 'yield', 'resume'),
  ),
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  place: fc.nat(),
});
const most = fc.integer({ min: 1, max: 4 });

/** A caller in the plain record. */
interface Caller {
  key: string;
  does: 'waits' | 'holds' | 'yielded' | 'resumes' | 'gone';
  leaving: AbortController;
  slot?: Slot;
}

/** Slots with a plain record of their callers. Each service is compared with the other callers that could have been served. */
class Watched {
  readonly slots: FairSlots;
  /** In the order in which they began to wait. */
  private callers: Caller[] = [];
  private readonly served: Caller[] = [];
  private readonly services: string[] = [];
  /** For each waiting key, the keys that were served although it could have been. */
  private readonly passed = new Map<string, Set<string>>();

  constructor(private readonly limits: { total: number; each: number }) {
    this.slots = new FairSlots(limits);
  }

  async take({ does, key, place }: Step): Promise<void> {
    if (does === 'ask') this.ask(key);
    if (does === 'leave') this.change('waits', place, [(caller) => caller.leaving.abort(), 'gone']);
    if (does === 'release') this.change('holds', place, [({ slot }) => slot!.release(), 'gone']);
    if (does === 'yield') this.change('holds', place, [({ slot }) => slot!.yield(), 'yielded']);
    if (does === 'resume') this.change('yielded', place, [(caller) => this.resume(caller), 'resumes']);
    await new Promise(setImmediate);
    for (const caller of this.served.splice(0)) this.judge(caller);
    this.expect(this.candidates().length === 0, 'a slot is free although a caller waits for one');
    const { held, waiting, yielded } = this.slots.load;
    this.expect(
      held === this.count('holds') &&
        waiting === this.count('waits') &&
        yielded === this.count('yielded') + this.count('resumes'),
      `the load is ${JSON.stringify(this.slots.load)}`,
    );
  }

  /** Releases every slot, which serves every caller. */
  async drain(): Promise<void> {
    while (this.count('holds') > 0) await this.take({ does: 'release', key: '', place: 0 });
    while (this.count('yielded') > 0) await this.take({ does: 'resume', key: '', place: 0 });
    while (this.count('holds') > 0) await this.take({ does: 'release', key: '', place: 0 });
  }

  private ask(key: string): void {
    const caller: Caller = { key, does: 'waits', leaving: new AbortController() };
    this.callers.push(caller);
    this.slots.acquire(key, caller.leaving.signal).then(
      (slot) => {
        caller.slot = slot;
        this.served.push(caller);
      },
      () => undefined,
    );
  }

  private resume(caller: Caller): void {
    this.callers = [...this.callers.filter((other) => other !== caller), caller];
    void caller.slot!.resume().then(() => this.served.push(caller));
  }

  private change(
    does: Caller['does'],
    place: number,
    [act, becomes]: [(caller: Caller) => void, Caller['does']],
  ): void {
    const callers = this.all(does);
    const caller = callers[place % callers.length];
    if (!caller) return;
    act(caller);
    caller.does = becomes;
    this.callers = this.callers.filter((each) => each.does !== 'gone');
  }

  private judge(caller: Caller): void {
    const candidates = this.candidates();
    this.expect(candidates.includes(caller), `${caller.key} had no room, or an earlier caller`);
    const last = (key: string) => this.services.lastIndexOf(key);
    for (const { key } of candidates) {
      this.expect(last(key) >= last(caller.key), `${key} was served longer ago than ${caller.key}`);
      if (key === caller.key) continue;
      const passed = this.passed.get(key) ?? new Set();
      this.expect(!passed.has(caller.key), `${caller.key} was served twice before ${key}`);
      this.passed.set(key, passed.add(caller.key));
    }
    this.passed.delete(caller.key);
    this.services.push(caller.key);
    caller.does = 'holds';
  }

  /** Unlike jest's `expect`, it costs next to nothing. */
  private expect(holds: boolean, fault: string): void {
    if (!holds) throw new Error(fault);
  }

  /** The first caller of each key that could be served. */
  private candidates(): Caller[] {
    if (this.count('holds') >= this.limits.total) return [];
    const keys = [...new Set(this.callers.map(({ key }) => key))];
    return keys.flatMap((key) => {
      const own = this.callers.filter((caller) => caller.key === key);
      const resuming = own.find(({ does }) => does === 'resumes');
      const held = own.filter(({ does }) => does !== 'waits').length;
      const fresh = held < this.limits.each ? own.find(({ does }) => does === 'waits') : undefined;
      return resuming ?? fresh ?? [];
    });
  }

  private readonly all = (does: Caller['does']): Caller[] =>
    this.callers.filter((caller) => caller.does === does);
  private readonly count = (does: Caller['does']): number => this.all(does).length;
}

/** Lets promises settle that are settled already. */
const settle = () => new Promise(setImmediate);

describe('slots, whatever their callers do', () => {
  it('go to the key that was served longest ago, to no key twice while another could have them, and to every caller', async () => {
    const run = async (total: number, each: number, steps: Step[]) => {
      const watched = new Watched({ total, each });
      for (const each of steps) await watched.take(each);
      await watched.drain();
      expect(watched.slots.load).toEqual({ held: 0, waiting: 0, yielded: 0 });
    };
    await fc.assert(fc.asyncProperty(most, most, fc.array(step, { maxLength: 60 }), run));
  });

  it('come to a waiting key although new keys come without end', async () => {
    const slots = new FairSlots({ total: 1, each: 1 });
    let held = await slots.acquire('old');
    let isServed = false;
    const old = slots.acquire('old').then(() => (isServed = true));
    for (let place = 0; place <= REMEMBERED_MAX && !isServed; place++) {
      const next = slots.acquire(`new ${place}`);
      held.release();
      held = (await Promise.race([next, old.then(() => held)])) as Slot;
    }
    expect(isServed).toBe(true);
  });

  it('of ten thousand callers that come and go, in any order, leave nothing behind', async () => {
    const slots = new FairSlots({ total: 7, each: 3, eachBeside: 2 });
    let inside = 0;
    let most = 0;
    const visit = (key: string) =>
      slots.run(key, async () => {
        most = Math.max(most, ++inside);
        await settle();
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 10_000 }, (_, place) => visit(`${place % 97}`)));
    expect({ inside, most, load: slots.load }).toEqual({
      inside: 0,
      most: 7,
      load: { held: 0, waiting: 0, yielded: 0 },
    });
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    for (let own = 1; own <= 3; own++) void slots.acquire('one that is alone');
    expect(slots.load.held).toBe(3);
    jest.restoreAllMocks();
  });

  it('remember when the last ten thousand keys were served, and no more', () => {
    const served = new ServedKeys();
    for (let place = 0; place < 2 * REMEMBERED_MAX; place++) served.note(`${place}`);
    expect(served.size).toBe(REMEMBERED_MAX);
    expect(served.lastOf(`${REMEMBERED_MAX - 1}`)).toBe(0);
    expect(served.lastOf(`${REMEMBERED_MAX}`)).toBe(REMEMBERED_MAX + 1);
  });
});
