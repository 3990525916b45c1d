import {
  probeService,
  type ProbedWork,
  startTestService,
  type TestService,
  type TestUser,
} from '@plat/testing';
import { setImmediate } from 'node:timers/promises';

/** As many as one organisation has in work at once. */
const IN_FLIGHT = 32;

/** Work that a test lets go on, and counts. */
class HeldWork {
  started = 0;
  private readonly waiting: (() => void)[] = [];

  readonly hold: ProbedWork = () => {
    this.started += 1;
    return new Promise<void>((resolve) => this.waiting.push(resolve));
  };

  async reaches(count: number): Promise<void> {
    while (this.started < count) await setImmediate();
  }

  release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Holds alice's requests and nobody else's. */
const ofAlice =
  (held: HeldWork): ProbedWork =>
  (caller, context) =>
    caller.principal.username === 'alice' ? held.hold(caller, context) : undefined;

describe("a request's turn", () => {
  let service: TestService;
  let work: ProbedWork;
  beforeAll(async () => {
    service = await startTestService(probeService((...args) => work(...args)));
  });
  afterAll(() => service.stop());

  const send = (user: TestUser) => service.send(user, 'GET /v1/whoami');
  const many = (user: TestUser, count: number) => Array.from({ length: count }, () => send(user));

  it("however many requests a tenant has waiting, another tenant's is worked on at once", async () => {
    const held = new HeldWork();
    work = ofAlice(held);
    const flood = many('alice', IN_FLIGHT * 2);
    await held.reaches(IN_FLIGHT);
    expect((await send('mallory')).status).toBe(200);
    expect(held.started).toBe(IN_FLIGHT);
    held.release();
    await held.reaches(IN_FLIGHT * 2);
    held.release();
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('no row of the trail is written, and no body read, before it has come', async () => {
    const held = new HeldWork();
    work = ofAlice(held);
    const flood = many('alice', IN_FLIGHT);
    await held.reaches(IN_FLIGHT);
    const rows = () =>
      service.database.query(`SELECT FROM audit.audit_events WHERE api_path = '/v1/reviews'`);
    const waits = service.send('alice', 'POST /v1/reviews', { name: 'x' });
    expect((await send('mallory')).status).toBe(200);
    expect(await rows()).toEqual([]);
    held.release();
    expect((await waits).status).toBe(201);
    expect(await rows()).toHaveLength(1);
    await Promise.all(flood);
  });

  it('work that only waits for others gives it to the next meanwhile', async () => {
    const held = new HeldWork();
    work = (caller, context) => caller.aside(() => Promise.resolve(held.hold(caller, context)));
    const waiting = many('alice', IN_FLIGHT * 2);
    await held.reaches(IN_FLIGHT * 2);
    held.release();
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  const waiting = async (): Promise<number> => {
    const figures = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^plat_requests_waiting\{.*\} (\d+)$/m.exec(figures)![1]);
  };

  it('of a caller who has gone away goes to the next, and nothing is done for it', async () => {
    const held = new HeldWork();
    work = ofAlice(held);
    const flood = many('alice', IN_FLIGHT);
    await held.reaches(IN_FLIGHT);
    const leaving = new AbortController();
    const headers = { authorization: await service.bearer('alice'), 'x-request-id': 'gone-away' };
    const gone = fetch(`${service.url}/v1/whoami`, { headers, signal: leaving.signal });
    while ((await waiting()) === 0) await setImmediate();
    leaving.abort();
    await expect(gone).rejects.toThrow();
    while ((await waiting()) > 0) await setImmediate();
    held.release();
    await Promise.all(flood);
    const next = send('alice');
    await held.reaches(IN_FLIGHT + 1);
    held.release();
    expect((await next).status).toBe(200);
    expect(held.started).toBe(IN_FLIGHT + 1);
  });
});
