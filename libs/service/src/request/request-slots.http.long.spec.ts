import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { StreamableFile } from '@nestjs/common';
import { applyDirectory } from '@plat/database';
import {
  type ProbedWork,
  probeService,
  startTestService,
  TEST_AUDIENCE,
  testDirectory,
  type TestService,
  type TestUser,
  TokenIssuer,
} from '@plat/testing';

/** Most requests that one organisation has in work at once while it is alone. */
const IN_FLIGHT = 32;
/** The same while another organisation asks. */
const BESIDE = 4;

/** Work of requests that a test holds, counts and releases. */
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

  /** Releases all work, including new work, until `count` have started. */
  async releaseUntil(count: number): Promise<void> {
    while (this.started < count) {
      this.release();
      await setImmediate();
    }
    this.release();
  }
}

/** Holds alice's requests only. */
const ofAlice =
  (held: HeldWork): ProbedWork =>
  (caller, context) =>
    caller.principal.username === 'alice' ? held.hold(caller, context) : undefined;

describe("a request's slot", () => {
  let service: TestService;
  let solo: TokenIssuer;
  let work: ProbedWork;
  beforeAll(async () => {
    [service, solo] = await Promise.all([
      startTestService(probeService((...args) => work(...args))),
      TokenIssuer.start(),
    ]);
    const directory = testDirectory(service.issuer.url);
    await applyDirectory(service.database.ownerUrl, {
      ...directory,
      issuers: [
        ...directory.issuers,
        { name: 'solo', url: solo.url, audience: TEST_AUDIENCE, tenant: 'acme' },
      ],
      users: [
        { tenant: 'acme', username: 'sam', issuer: 'solo', subject: 'subject-of-sam', roles: ['ReadAll'] },
      ],
    });
  });
  afterAll(() => Promise.all([service.stop(), solo.stop()]));

  const send = (user: TestUser) => service.send(user, 'GET /v1/whoami');
  const many = (user: TestUser, count: number) => Array.from({ length: count }, () => send(user));

  it("comes at once, even if many of another tenant's requests wait", async () => {
    const held = new HeldWork();
    work = ofAlice(held);
    const flood = many('alice', IN_FLIGHT * 2);
    await held.reaches(IN_FLIGHT);
    expect((await send('mallory')).status).toBe(200);
    expect(held.started).toBe(IN_FLIGHT);
    await held.releaseUntil(IN_FLIGHT * 2);
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('comes to fewer requests of a tenant at once while another tenant asks', async () => {
    const held = new HeldWork();
    work = ofAlice(held);
    expect((await send('mallory')).status).toBe(200);
    const flood = many('alice', IN_FLIGHT);
    await held.reaches(BESIDE);
    expect((await send('mallory')).status).toBe(200);
    expect(held.started).toBe(BESIDE);
    await held.releaseUntil(IN_FLIGHT);
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('a caller who is slow to send its body delays no other request of its tenant', async () => {
    work = () => undefined;
    expect((await send('mallory')).status).toBe(200);
    const headers = {
      authorization: await service.bearer('alice'),
      'content-length': 1_000,
      expect: '100-continue',
    };
    const slow = Array.from({ length: BESIDE }, () =>
      request(`${service.url}/v1/reviews`, { method: 'POST', headers }).on('error', () => undefined),
    );
    // The service now waits for each body.
    await Promise.all(slow.map((sent) => once(sent, 'continue')));
    expect((await send('mallory')).status).toBe(200);
    expect((await send('alice')).status).toBe(200);
    for (const sent of slow) sent.destroy();
  });

  it('a caller who is slow to read its answer delays no other request of its tenant', async () => {
    work = () => undefined;
    expect((await send('mallory')).status).toBe(200);
    work = () => {
      const answer = new PassThrough();
      answer.write('[');
      return new StreamableFile(answer);
    };
    const headers = { authorization: await service.bearer('alice') };
    const slow = Array.from({ length: BESIDE }, () =>
      request(`${service.url}/v1/whoami`, { headers })
        .on('error', () => undefined)
        .end(),
    );
    // Each answer has begun.
    await Promise.all(slow.map((sent) => once(sent, 'response')));
    work = () => undefined;
    expect((await send('mallory')).status).toBe(200);
    expect((await send('alice')).status).toBe(200);
    for (const sent of slow) sent.destroy();
  });

  it('comes before any row of the trail is written and any body is read', async () => {
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

  it('goes to the next request while its work only waits for others', async () => {
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

  it('goes to the next request, without any work, if its caller goes away before it comes', async () => {
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

  it('counts for its tenant, whichever issuer the caller has', async () => {
    const held = new HeldWork();
    work = ofAlice(held);
    const headers = { authorization: `Bearer ${await solo.token({ sub: 'subject-of-sam' })}` };
    const sendAsSam = () => fetch(`${service.url}/v1/whoami`, { headers });
    expect((await sendAsSam()).status).toBe(200);
    const flood = many('alice', IN_FLIGHT);
    await held.reaches(IN_FLIGHT);
    let answered = false;
    const sam = sendAsSam().finally(() => (answered = true));
    while ((await waiting()) === 0 && !answered) await setImmediate();
    expect(answered).toBe(false);
    held.release();
    expect((await sam).status).toBe(200);
    await Promise.all(flood);
  });

  /** Sends a request of alice on a connection of its own. */
  const connectAsAlice = async (): Promise<Socket> => {
    const authorization = await service.bearer('alice');
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
    const head = `GET /v1/whoami HTTP/1.1\r\nHost: plat\r\nAuthorization: ${authorization}\r\n\r\n`;
    await new Promise<void>((resolve) => socket.write(head, () => resolve()));
    return socket;
  };
  const leave = async (socket: Socket): Promise<void> => {
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resetAndDestroy();
    await closed;
  };

  it('ends when the work ends, even if its caller goes away before', async () => {
    const held = new HeldWork();
    work = ofAlice(held);
    const callers = await Promise.all(Array.from({ length: IN_FLIGHT }, connectAsAlice));
    await held.reaches(IN_FLIGHT);
    await Promise.all(callers.map(leave));
    const next = many('alice', IN_FLIGHT);
    while ((await waiting()) < IN_FLIGHT && held.started === IN_FLIGHT) await setImmediate();
    expect(held.started).toBe(IN_FLIGHT);
    await held.releaseUntil(IN_FLIGHT * 2);
    expect(new Set((await Promise.all(next)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('is not lost if its caller goes away while the token is checked', async () => {
    work = () => undefined;
    // Each request has a new token, which has to be verified.
    for (let place = 0; place <= IN_FLIGHT; place++) await leave(await connectAsAlice());
    expect((await send('alice')).status).toBe(200);
  });
});
