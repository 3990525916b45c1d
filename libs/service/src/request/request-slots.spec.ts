import { RequestSlots, ServiceSlots } from './request-slots';

const ORGANISATION = 'acme';

/** Acquires every free slot of the organisation. @returns a function that releases one */
async function acquireAll(service: ServiceSlots): Promise<() => void> {
  const acquired: RequestSlots[] = [];
  for (;;) {
    const slots = new RequestSlots(service, ORGANISATION);
    const entered = slots.acquire().then(
      () => acquired.push(slots),
      () => undefined,
    );
    await new Promise(setImmediate);
    if (service.waiting === 0) continue;
    slots.end();
    await entered;
    return () => answer(acquired.pop()!);
  }
}

/** Ends a request's work, and the request. */
function answer(slots: RequestSlots): void {
  slots.releaseWork();
  slots.end();
}

describe('work whose caller goes away', () => {
  it('keeps its slot until it ends, and no longer', async () => {
    const service = new ServiceSlots();
    const slots = new RequestSlots(service, ORGANISATION);
    await slots.acquire();
    await acquireAll(service);
    slots.end();
    const next = new RequestSlots(service, ORGANISATION);
    const entered = next.acquire();
    await new Promise(setImmediate);
    expect(service.waiting).toBe(1);
    slots.releaseWork();
    await expect(entered).resolves.toBeUndefined();
  });
});

describe('work that only waits and releases its slots meanwhile', () => {
  let service: ServiceSlots;
  let slots: RequestSlots;

  beforeEach(async () => {
    service = new ServiceSlots();
    slots = new RequestSlots(service, ORGANISATION);
    await slots.acquire();
  });

  /** Starts work, lets others acquire every slot meanwhile, and ends the work. */
  async function waitForSlotsAfterWork(answer: string) {
    let finish!: (answer: string) => void;
    const working = slots.runWithout(() => new Promise<string>((resolve) => (finish = resolve)));
    const releaseOne = await acquireAll(service);
    finish(answer);
    await new Promise(setImmediate);
    expect(service.waiting).toBe(1);
    return { working, releaseOne };
  }

  it('ends once it has slots again', async () => {
    const { working, releaseOne } = await waitForSlotsAfterWork('done');
    releaseOne();
    await expect(working).resolves.toBe('done');
  });

  it('returns its answer if the caller leaves while it waits for slots, and keeps none', async () => {
    const { working, releaseOne } = await waitForSlotsAfterWork('done');
    slots.end();
    await expect(working).resolves.toBe('done');
    expect(service.waiting).toBe(0);
    releaseOne();
    const next = new RequestSlots(service, ORGANISATION);
    await expect(next.acquire()).resolves.toBeUndefined();
  });

  it('returns its answer if the caller left during the work, and acquires no slot', async () => {
    let finish!: (answer: string) => void;
    const working = slots.runWithout(() => new Promise<string>((resolve) => (finish = resolve)));
    slots.end();
    finish('done');
    await expect(working).resolves.toBe('done');
    const releaseOne = await acquireAll(service);
    releaseOne();
    await expect(new RequestSlots(service, ORGANISATION).acquire()).resolves.toBeUndefined();
  });

  it('throws its own error', async () => {
    const failed = new Error('failed');
    await expect(slots.runWithout(() => Promise.reject(failed))).rejects.toBe(failed);
  });
});
