import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ApiError, isId } from '@plat/contracts/core';
import { type ProbedWork, probeService, startTestService, type TestService } from '@plat/testing';

/** The parsed answer to bytes that no well-behaved client would send. */
async function sendRaw(url: string, request: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(request);
  const answer = await text(socket);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body };
}

/** A promise, and a function that resolves it. */
function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('the application of a service', () => {
  let service: TestService;
  let work: ProbedWork;
  beforeAll(async () => {
    service = await startTestService(probeService((...args) => work(...args)));
  });
  beforeEach(() => (work = () => undefined));
  afterAll(() => service.stop());

  const whoami = () => service.send('alice', 'GET /v1/whoami');
  const lastLine = () =>
    service
      .logged()
      .filter(({ msg }) => msg === 'request')
      .at(-1);

  describe("answers in the contract's shape", () => {
    it.each([
      ['GET', '/v1/nowhere'],
      ['GET', '/'],
      ['GET', '/v2/whoami'],
      ['GET', '/v1/whoami/'],
      ['GET', '/V1/WHOAMI'],
      ['PUT', '/v1/nowhere'],
      ['GET', '/v1/%zz'],
      ['GET', '/%E0%A4%A'],
      ['GET', '//v1/whoami'],
    ])('404 NOT_FOUND for a route that does not exist: %s %s', async (method, path) => {
      const response = await fetch(service.url + path, { method });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        code: 'NOT_FOUND',
        message: 'No such route: method and path must be those of the API, without a slash at the end.',
      });
      expect(response.headers.get('x-request-id')).not.toBeNull();
    });

    it.each([
      ['DELETE', '/v1/whoami', 'GET, HEAD'],
      ['PUT', '/v1/reviews', 'GET, HEAD, POST'],
      ['OPTIONS', '/v1/whoami?a=b', 'GET, HEAD'],
      ['PROPFIND', '/v1/reviews/%zz/status', 'PATCH'],
      ['POST', '/healthz', 'GET, HEAD'],
    ])(
      '405 METHOD_NOT_ALLOWED with Allow for a method that the route lacks: %s %s',
      async (method, path, allow) => {
        const response = await fetch(service.url + path, { method });
        expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
        expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
      },
    );

    it.each(['/v1/platform', '/v1/whoami', '/healthz'])('HEAD is GET without the body: %s', async (path) => {
      const headers = { authorization: await service.bearer('alice') };
      const [head, get] = await Promise.all([
        fetch(service.url + path, { method: 'HEAD', headers }),
        fetch(service.url + path, { headers }),
      ]);
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(String((await get.text()).length));
    });

    it('HEAD is permitted and audited as the GET that it is', async () => {
      const ask = async (user: 'alice' | 'dave') =>
        fetch(`${service.url}/v1/whoami`, {
          method: 'HEAD',
          headers: { authorization: await service.bearer(user) },
        });
      const answer = await ask('alice');
      const rows = await service.database.query(
        'SELECT api_method, api_path FROM audit.audit_events WHERE request_id = $1',
        [answer.headers.get('x-request-id')],
      );
      expect(rows).toEqual([{ api_method: 'GET', api_path: '/v1/whoami' }]);
      expect((await ask('dave')).status).toBe(403);
    });

    it.each(['/v1/reviews/%zz', '/v1/reviews/%', '/v1/reviews/%ff', `/v1/reviews/${'x'.repeat(12_000)}`])(
      'an id that cannot be decoded, or is over-long, is 401 without a token and INVALID_PATH_ID with one: %.20s',
      async (path) => {
        expect((await fetch(service.url + path)).status).toBe(401);
        const { status, body } = await service.send('alice', `GET ${path as '/'}`);
        expect([status, body.code]).toEqual([400, 'INVALID_PATH_ID']);
      },
    );

    it.each([
      ['no Host', 'GET /v1/platform HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
      [
        'two',
        'GET /v1/platform HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
        400,
        'BAD_REQUEST',
      ],
      [
        'what may be expected',
        'POST /v1/reviews HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n',
        417,
        'BAD_REQUEST',
      ],
      ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ])('with a body, also if Node alone would answer without one: %s', async (_, request, expected, code) => {
      const { status, body } = await sendRaw(service.url, request);
      expect([status, (JSON.parse(body) as { code: string }).code]).toEqual([expected, code]);
    });

    it('with a header that forbids browsers to guess the type', async () => {
      for (const path of ['/v1/platform', '/v1/whoami', '/v1/nowhere', '/metrics']) {
        expect(
          (await fetch(service.url + path, { method: 'HEAD' })).headers.get('x-content-type-options'),
        ).toBe('nosniff');
      }
    });

    it.each([
      ['no HTTP', 'nonsense\r\n\r\n'],
      ['an unknown method', 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a header without colon', 'GET /v1/platform HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
      [
        'two lengths',
        'POST /v1/reviews HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      ],
      ['headers over 16 KiB', `GET /v1/platform HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ])('400 BAD_REQUEST for bytes that are no request: %s', async (_, request) => {
      const { status, body } = await sendRaw(service.url, request);
      expect(status).toBe(400);
      expect(JSON.parse(body)).toMatchObject({ code: 'BAD_REQUEST' });
    });

    it.each(['Authorization', 'X-Plat-Mcp-Tool'])('400 BAD_REQUEST for a repeated %s', async (header) => {
      const value = header === 'Authorization' ? await service.bearer('alice') : 'review_show';
      const request =
        `GET /v1/whoami HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${await service.bearer('alice')}\r\n` +
        `${header.toLowerCase()}: ${value}\r\n${header}: ${value}\r\n\r\n`;
      const { status, body } = await sendRaw(service.url, request);
      expect([status, JSON.parse(body).code]).toEqual([400, 'BAD_REQUEST']);
    });

    it('500 INTERNAL_ERROR with the request id and never the cause, which the log has', async () => {
      work = () => {
        throw new Error('the secret cause');
      };
      const { status, body, headers } = await whoami();
      const requestId = headers.get('x-request-id');
      expect(status).toBe(500);
      expect(body).toEqual({
        code: 'INTERNAL_ERROR',
        message: 'The service failed; retry, and report the request id if it fails again.',
        details: { requestId },
      });
      const failure = service.logged().find(({ msg }) => msg === 'request failed');
      expect(failure).toMatchObject({ requestId, err: { message: 'the secret cause' } });
    });

    it('501 NOT_IMPLEMENTED, which is no failure for the log', async () => {
      work = () => {
        throw new ApiError('NOT_IMPLEMENTED');
      };
      const { status, headers } = await whoami();
      const requestId = headers.get('x-request-id');
      const failures = service.logged().filter(({ msg }) => msg === 'request failed');
      expect([status, failures.filter((line) => line.requestId === requestId)]).toEqual([501, []]);
    });

    it.each([
      ['text', 'the secret cause'],
      ['undefined', undefined],
      ['an error that claims a status', Object.assign(new Error('the secret cause'), { statusCode: 418 })],
    ])('500 for any thrown value: %s', async (_, thrown) => {
      work = () => Promise.reject(thrown as Error);
      const { status, body } = await whoami();
      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toContain('secret');
    });
  });

  describe('the request id', () => {
    it('is a new one for each request', async () => {
      const ids = await Promise.all(
        [whoami(), whoami()].map(async (answer) => (await answer).headers.get('x-request-id')),
      );
      expect(ids.every((id) => isId(id!))).toBe(true);
      expect(ids[0]).not.toBe(ids[1]);
    });

    it("is the service's own, even if the caller sends one", async () => {
      const answer = await fetch(`${service.url}/v1/platform`, { headers: { 'x-request-id': 'mine' } });
      expect(isId(answer.headers.get('x-request-id')!)).toBe(true);
    });
  });

  describe('health', () => {
    it('/healthz answers if the process does, /readyz only if the database does too', async () => {
      const [health, ready] = await Promise.all([
        fetch(`${service.url}/healthz`),
        fetch(`${service.url}/readyz`),
      ]);
      expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
    });

    it('neither path leaves a row in the trail', async () => {
      const count = () =>
        service.database.query<{ n: number }>('SELECT count(*)::int AS n FROM audit.audit_events');
      const before = await count();
      await Promise.all(['/healthz', '/readyz', '/v1/platform'].map((path) => fetch(service.url + path)));
      expect(await count()).toEqual(before);
    });
  });

  describe('the log', () => {
    it('has one line for a request: id, tenant, user, template, status, duration, code', async () => {
      const before = service.logged().length;
      const { headers } = await service.send('alice', 'PATCH /v1/reviews/nobody/status', { name: 'x' });
      expect(service.logged()).toHaveLength(before + 1);
      expect(lastLine()).toMatchObject({
        level: 30,
        requestId: headers.get('x-request-id'),
        tenantId: expect.any(String),
        userId: expect.any(String),
        method: 'PATCH',
        route: '/v1/reviews/{review_id}/status',
        status: 400,
        milliseconds: expect.any(Number),
        code: 'INVALID_PATH_ID',
      });
    });

    it('never has a token, a body, a query or a concrete path', async () => {
      const authorization = await service.bearer('alice');
      await fetch(`${service.url}/v1/reviews?sourceBranch=secret-query`, { headers: { authorization } });
      await fetch(`${service.url}/v1/secret-path`, { headers: { authorization } });
      await fetch(`${service.url}/v1/%zzsecret-path`, { headers: { authorization } });
      await service.send('alice', 'POST /v1/reviews', { name: 'secret-body' });
      await service.send('alice', 'POST /v1/reviews', { name: '', reason: 'secret-body' });
      const lines = JSON.stringify(service.logged());
      expect(lines).not.toContain(authorization.slice('Bearer '.length));
      for (const secret of ['secret-query', 'secret-path', 'secret-body']) {
        expect(lines).not.toContain(secret);
      }
    });

    it('logs a request that reached no route, without inventing one', async () => {
      const response = await fetch(`${service.url}/v1/nowhere`);
      await response.text();
      expect(lastLine()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      expect(lastLine()).not.toHaveProperty('route');
    });
  });

  describe('at shutdown', () => {
    it('lets a request in flight finish, and takes no other', async () => {
      const [started, finish] = [gate(), gate()];
      const own = await startTestService(
        probeService(async () => {
          started.open();
          await finish.opened;
          return { finished: true };
        }),
      );
      const inFlight = own.send('alice', 'GET /v1/whoami');
      await started.opened;
      const stopped = own.stop();
      await nobodyListens(own.url);
      finish.open();
      expect((await inFlight).body).toEqual({ finished: true });
      await stopped;
    });
  });
});

/** Resolves once a new connection is refused. */
async function nobodyListens(url: string): Promise<void> {
  for (;;) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (!connected) return;
  }
}
