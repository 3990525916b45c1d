import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { ApiClient, type ApiClientOptions } from './api-client';
import { ApiFault, ApiUnreachable, ForeignAnswer } from './api-fault';
import { createRelease, createReview, getReview, listReviews, removeReviewer, whoami } from './generated';

interface Received {
  line: string;
  headers: IncomingMessage['headers'];
  body: string;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server that gives these answers in turn, and what it received. */
async function serveAnswers(...answers: ((response: ServerResponse) => void)[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      answers.shift()?.(response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    received,
    client: (options: Partial<ApiClientOptions> = {}) => new ApiClient({ baseUrl, ...options }),
  };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

const REVIEW_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const OTHER_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12';
const REVIEW = {
  reviewId: REVIEW_ID,
  tenantId: OTHER_ID,
  authorUserId: OTHER_ID,
  name: 'Add',
  targetBranch: 'main',
  sourceBranch: 'a',
  status: 'OPEN',
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-01-02T03:04:05.000Z',
};

async function thrown(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the client', () => {
  it('sends an operation with its body, its token and the extra headers', async () => {
    const { received, client } = await serveAnswers(json(201, REVIEW));
    const api = client({
      tokens: { current: () => 'secret' },
      headers: { 'X-Plat-Mcp-Tool': 'review_create' },
    });
    const body = { name: 'Add', sourceBranch: 'a', targetBranch: 'main' };
    expect(await createReview(api, { body })).toEqual(REVIEW);
    expect(received[0]).toMatchObject({
      line: 'POST /v1/reviews',
      headers: { authorization: 'Bearer secret', 'x-plat-mcp-tool': 'review_create' },
      body: JSON.stringify(body),
    });
  });

  it('leaves absent query values out and escapes path values', async () => {
    const { received, client } = await serveAnswers(json(200, []), json(404, {}));
    await listReviews(client(), { query: { status: 'OPEN', repository: undefined } });
    await thrown(getReview(client(), { reviewId: '../x' }));
    expect(received.map(({ line }) => line)).toEqual([
      'GET /v1/reviews?status=OPEN',
      'GET /v1/reviews/..%2Fx',
    ]);
  });

  it('throws a refusal with its code, message, details and request id', async () => {
    const refusal = { code: 'NOT_FOUND', message: 'No such review.', details: { field: 'x' } };
    const { client } = await serveAnswers(json(404, refusal, { 'x-request-id': 'q1' }));
    const fault = await thrown(getReview(client(), { reviewId: 'r' }));
    expect(fault).toBeInstanceOf(ApiFault);
    expect(fault).toMatchObject({ status: 404, ...refusal, requestId: 'q1' });
  });

  it('reads unresolved_threads, the one refusal of another shape', async () => {
    const body = {
      error: 'unresolved_threads',
      message: 'Open threads.',
      reviewId: 'r',
      unresolvedThreads: 2,
    };
    const { client } = await serveAnswers(json(409, body));
    expect(await thrown(listReviews(client()))).toMatchObject({
      code: 'unresolved_threads',
      details: { reviewId: 'r', unresolvedThreads: 2 },
    });
  });

  it("gives a refusal that is not the platform's the code HTTP_<status>", async () => {
    const { client } = await serveAnswers((response) => response.writeHead(502).end('<html>'));
    expect(await thrown(listReviews(client()))).toMatchObject({ status: 502, code: 'HTTP_502' });
  });

  it('never follows a redirect, which could carry the token elsewhere', async () => {
    const { received, client } = await serveAnswers((response) =>
      response.writeHead(302, { location: '/other' }).end(),
    );
    expect(await thrown(listReviews(client()))).toMatchObject({ name: 'ForeignAnswer', status: 302 });
    expect(received).toHaveLength(1);
  });

  it('repeats a call once with a newer token when the first is refused', async () => {
    const { received, client } = await serveAnswers(json(401, {}), json(200, []));
    const api = client({ tokens: { current: () => 'old', after: async (refused) => `after-${refused}` } });
    expect(await listReviews(api)).toEqual([]);
    expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer after-old']);
  });

  it('throws ApiUnreachable if no one answers', async () => {
    const { client } = await serveAnswers((response) => response.destroy());
    const failure = await thrown(listReviews(client()));
    expect(failure).toBeInstanceOf(ApiUnreachable);
    expect(failure).toMatchObject({ reason: 'ECONNRESET' });
  });

  it('throws ApiUnreachable if the answer takes too long', async () => {
    const { client } = await serveAnswers(() => undefined);
    expect(await thrown(listReviews(client({ timeoutSeconds: 0.05 })))).toMatchObject({
      reason: 'ECONNABORTED',
    });
  });

  it('throws ApiUnreachable if the answer comes byte by byte, and has no end', async () => {
    const { client } = await serveAnswers((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(drip));
    });
    expect(await thrown(listReviews(client({ timeoutSeconds: 0.1 })))).toMatchObject({
      reason: 'ETIMEDOUT',
    });
  });

  it('ends a call that waits, and refuses the next, when its signal is aborted', async () => {
    const stop = new AbortController();
    const { received, client } = await serveAnswers(() => stop.abort(new Error('Stopped.')));
    const api = client().interruptedBy(stop.signal);
    expect(await thrown(listReviews(api))).toMatchObject({ message: 'Stopped.' });
    expect(await thrown(listReviews(api))).toMatchObject({ message: 'Stopped.' });
    expect(received).toHaveLength(1);
  });

  it('ends a call that waits for its token when its signal is aborted, and lets the renewal go on', async () => {
    const stop = new AbortController();
    const { received, client } = await serveAnswers(json(401, {}));
    let renewed: (token: string) => void = () => undefined;
    const renewal = new Promise<string>((resolve) => (renewed = resolve));
    const after = () => {
      stop.abort(new Error('Stopped.'));
      return renewal;
    };
    const api = client({ tokens: { current: () => 'old', after } }).interruptedBy(stop.signal);
    expect(await thrown(listReviews(api))).toMatchObject({ message: 'Stopped.' });
    renewed('new');
    await renewal;
    expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer old']);
  });
});

describe('an answer that is not the platform’s', () => {
  const page = (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in to the network</html>');
  const ask = async (answer: (response: ServerResponse) => void) => {
    const { client } = await serveAnswers(answer);
    return thrown(getReview(client(), { reviewId: REVIEW_ID }));
  };

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['a page', page, 'it is not JSON'],
    [
      'a page that calls itself JSON',
      (r) => void r.setHeader('content-type', 'application/json').end('<'),
      'it is not JSON',
    ],
    ['nothing', json(200, undefined), 'it is not an object'],
    ['null', json(200, null), 'it is not an object'],
    ['a list', json(200, [REVIEW]), 'it is not an object'],
    ['text', json(200, 'ok'), 'it is not an object'],
    ['an empty object', json(200, {}), 'reviewId is missing'],
    ['a field of another type', json(200, { ...REVIEW, name: 1 }), 'name is not text'],
    ['an id that is no UUID', json(200, { ...REVIEW, tenantId: 'acme' }), 'tenantId is not an id'],
    ['a time that cannot be read', json(200, { ...REVIEW, createdAt: 'now' }), 'createdAt is not a time'],
    ['null for an absent field', json(200, { ...REVIEW, issueRef: null }), 'issueRef is not text'],
    [
      'an inherited field',
      json(200, { ...REVIEW, name: undefined, ['__proto__']: { name: 'x' } }),
      'name is missing',
    ],
    ['another status', json(202, REVIEW), 'the platform answers 200'],
    ['another review', json(200, { ...REVIEW, reviewId: OTHER_ID }), 'it is about another reviewId'],
  ])('is refused: %s', async (_what, answer, difference) => {
    const failure = await ask(answer);
    expect(failure).toBeInstanceOf(ForeignAnswer);
    expect(failure).toMatchObject({ difference });
  });

  it('is refused whatever kind of body the route has', async () => {
    const { client } = await serveAnswers(
      json(200, {}),
      json(200, [REVIEW, {}]),
      json(200, { ...REVIEW, roles: 'x' }),
      json(200, { removed: true }),
      page,
    );
    expect(await thrown(listReviews(client()))).toMatchObject({ difference: 'it is not an array' });
    expect(await thrown(listReviews(client()))).toMatchObject({ difference: '[1].reviewId is missing' });
    expect(await thrown(whoami(client()))).toMatchObject({ difference: 'userId is missing' });
    const reviewer = { reviewId: REVIEW_ID, userId: OTHER_ID };
    expect(await thrown(removeReviewer(client(), reviewer))).toMatchObject({ status: 200 });
    expect(await thrown(client().send({ method: 'GET', path: '/v1/new' }))).toMatchObject({
      difference: 'it is not JSON',
    });
  });

  it('is one that is too large once it is decompressed, whatever its status', async () => {
    const bomb = gzipSync(Buffer.alloc(48 * 1024 * 1024, ' '));
    const burst = (status: number) => (response: ServerResponse) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(bomb);
    expect(bomb.length).toBeLessThan(100_000);
    for (const status of [200, 409, 500]) {
      const failure = await ask(burst(status));
      expect(failure).toBeInstanceOf(ForeignAnswer);
      expect(failure).toMatchObject({ status, difference: 'the answer is larger than 32 MiB' });
    }
  });

  it('is one that is nested too deeply, in a known field or not, and whatever its texts have', async () => {
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    const failure = await ask(json(200, { ...REVIEW, newer: nested(200) }));
    expect(failure).toMatchObject({ name: 'ForeignAnswer', difference: 'it is nested too deeply' });
    expect(await ask(json(409, { code: 'CONFLICT', details: nested(200) }))).toMatchObject({
      code: 'HTTP_409',
    });
    const fine = { ...REVIEW, newer: nested(50), description: `"${'[{'.repeat(1000)}\\` };
    const { client } = await serveAnswers(json(200, fine));
    expect(await getReview(client(), { reviewId: REVIEW_ID })).toEqual(fine);
  });

  it('is one with more fields and items than a page can have, each of which takes thirty times its bytes', async () => {
    const crowded = gzipSync(`{"newer":[${'{},'.repeat(2_000_001)}{}]}`);
    expect(crowded.length).toBeLessThan(100_000);
    const failure = await ask((response) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      response.writeHead(200, headers).end(crowded);
    });
    expect(failure).toMatchObject({
      name: 'ForeignAnswer',
      difference: 'it has more than 2,000,000 fields and items',
    });
  });

  it('is none as large as a page of the platform can be', async () => {
    const description = 'x'.repeat(30 * 1024 * 1024);
    const { client } = await serveAnswers(json(200, [{ ...REVIEW, description }]));
    expect(await listReviews(client())).toHaveLength(1);
  });

  it('is not one with an unknown field or enumeration value, which a newer service may send', async () => {
    const newer = { ...REVIEW, status: 'PAUSED', colour: 'red' };
    const { client } = await serveAnswers(json(200, newer));
    expect(await getReview(client(), { reviewId: REVIEW_ID.toUpperCase() })).toEqual(newer);
  });

  it('is neither 201 nor 200 of POST /v1/releases', async () => {
    const release = {
      releaseId: REVIEW_ID,
      tenantId: OTHER_ID,
      targetBranch: 'main',
      commitId: 'c'.repeat(40),
      status: 'queued',
      attempt: 1,
      createdAt: REVIEW.createdAt,
      updatedAt: REVIEW.updatedAt,
    };
    const { client } = await serveAnswers(json(200, release), json(201, release));
    const body = { targetBranch: 'main', commitId: release.commitId };
    expect(await createRelease(client(), { body })).toEqual(release);
    expect(await createRelease(client(), { body })).toEqual(release);
  });
});

describe('a creating call', () => {
  const body = { name: 'Add', sourceBranch: 'a', targetBranch: 'main' };
  const cut = (response: ServerResponse): void => void response.destroy();
  const keysOf = (received: Received[]) => received.map(({ headers }) => headers['idempotency-key']);

  it('has a key of its own', async () => {
    const { received, client } = await serveAnswers(json(201, REVIEW), json(201, REVIEW));
    await createReview(client(), { body });
    await createReview(client(), { body });
    const [first, second] = keysOf(received);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it.each([
    ['a cut connection', cut],
    ['502', json(502, {})],
    ['503', json(503, { code: 'SERVICE_UNAVAILABLE', message: 'm' })],
    ['504', json(504, {})],
  ])('is sent once more with the same key and body if its answer is lost: %s', async (_, lost) => {
    const { received, client } = await serveAnswers(lost, json(201, REVIEW));
    expect(await createReview(client(), { body })).toEqual(REVIEW);
    const [first, second] = keysOf(received);
    expect(second).toBe(first);
    expect(received[1]!.body).toBe(received[0]!.body);
  });

  it('is sent twice at most', async () => {
    const { received, client } = await serveAnswers(cut, cut, json(201, REVIEW));
    expect(await thrown(createReview(client(), { body }))).toBeInstanceOf(ApiUnreachable);
    expect(received).toHaveLength(2);
  });

  it('waits for it no longer than for an answer', async () => {
    const { client } = await serveAnswers(
      cut,
      json(409, { code: 'IDEMPOTENCY_KEY_IN_USE' }, { 'retry-after': '5' }),
    );
    expect(await thrown(createReview(client({ timeoutSeconds: 3 }), { body }))).toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
    });
  });

  it.each([
    ['a refusal', json(409, { code: 'CONFLICT', message: 'm' })],
    ['a fault of the service', json(500, { code: 'INTERNAL_ERROR', message: 'm' })],
    ['an answer of something else', json(200, 'hello')],
  ])('is not sent again after %s', async (_, answer) => {
    const { received, client } = await serveAnswers(answer);
    expect(await thrown(createReview(client(), { body }))).toBeInstanceOf(Error);
    expect(received).toHaveLength(1);
  });

  it('ends with its signal between two attempts', async () => {
    const busy = json(409, { code: 'IDEMPOTENCY_KEY_IN_USE' }, { 'retry-after': '60' });
    const { client } = await serveAnswers(cut, busy);
    const signal = AbortSignal.timeout(200);
    expect(await thrown(createReview(client({ signal }), { body }))).toBe(signal.reason);
  });
});

it('a call that creates nothing has no key, and is sent once', async () => {
  const { received, client } = await serveAnswers((response) => void response.destroy(), json(200, REVIEW));
  expect(await thrown(getReview(client(), { reviewId: REVIEW_ID }))).toBeInstanceOf(ApiUnreachable);
  expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
});
