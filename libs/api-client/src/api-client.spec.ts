import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ApiClient, type ApiClientOptions } from './api-client';
import { ApiFault, ApiUnreachable } from './api-fault';
import { createReview, getReview, listReviews } from './generated';

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
async function answering(...answers: ((response: ServerResponse) => void)[]) {
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

async function thrown(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the client', () => {
  it('sends an operation with its body, its token and the extra headers', async () => {
    const { received, client } = await answering(json(201, { reviewId: 'r' }));
    const api = client({
      tokens: { current: () => 'secret' },
      headers: { 'X-Plat-Mcp-Tool': 'review_create' },
    });
    const body = { name: 'Add', sourceBranch: 'a', targetBranch: 'main' };
    expect(await createReview(api, { body })).toEqual({ reviewId: 'r' });
    expect(received[0]).toMatchObject({
      line: 'POST /v1/reviews',
      headers: { authorization: 'Bearer secret', 'x-plat-mcp-tool': 'review_create' },
      body: JSON.stringify(body),
    });
  });

  it('leaves absent query values out and escapes path values', async () => {
    const { received, client } = await answering(json(200, []), json(200, {}));
    await listReviews(client(), { query: { status: 'OPEN', repository: undefined } });
    await getReview(client(), { reviewId: '../x' });
    expect(received.map(({ line }) => line)).toEqual([
      'GET /v1/reviews?status=OPEN',
      'GET /v1/reviews/..%2Fx',
    ]);
  });

  it('throws a refusal with its code, message, details and request id', async () => {
    const refusal = { code: 'NOT_FOUND', message: 'No such review.', details: { field: 'x' } };
    const { client } = await answering(json(404, refusal, { 'x-request-id': 'q1' }));
    const fault = await thrown(getReview(client(), { reviewId: 'r' }));
    expect(fault).toBeInstanceOf(ApiFault);
    expect(fault).toMatchObject({ status: 404, ...refusal, requestId: 'q1' });
  });

  it('reads the refusal that has a shape of its own', async () => {
    const body = {
      error: 'unresolved_threads',
      message: 'Open threads.',
      reviewId: 'r',
      unresolvedThreads: 2,
    };
    const { client } = await answering(json(409, body));
    expect(await thrown(listReviews(client()))).toMatchObject({
      code: 'unresolved_threads',
      details: { reviewId: 'r', unresolvedThreads: 2 },
    });
  });

  it('gives an answer that is not ours a code of its status', async () => {
    const { client } = await answering((response) => response.writeHead(502).end('<html>'));
    expect(await thrown(listReviews(client()))).toMatchObject({ status: 502, code: 'HTTP_502' });
  });

  it('never follows a redirect, which could carry the token elsewhere', async () => {
    const { received, client } = await answering((response) =>
      response.writeHead(302, { location: '/other' }).end(),
    );
    expect(await thrown(listReviews(client()))).toMatchObject({ code: 'HTTP_302' });
    expect(received).toHaveLength(1);
  });

  it('repeats a call once with a newer token when the first is refused', async () => {
    const { received, client } = await answering(json(401, {}), json(200, []));
    const api = client({ tokens: { current: () => 'old', after: async (refused) => `after-${refused}` } });
    expect(await listReviews(api)).toEqual([]);
    expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer after-old']);
  });

  it('says so when nobody answers', async () => {
    const { client } = await answering((response) => response.destroy());
    const failure = await thrown(listReviews(client()));
    expect(failure).toBeInstanceOf(ApiUnreachable);
    expect(failure).toMatchObject({ reason: 'ECONNRESET' });
  });

  it('says so when the answer takes too long', async () => {
    const { client } = await answering(() => undefined);
    expect(await thrown(listReviews(client({ timeoutSeconds: 0.05 })))).toMatchObject({
      reason: 'ECONNABORTED',
    });
  });
});
