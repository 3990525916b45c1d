import { type RawAnswer, sendRaw } from './raw-request';

/** A server that the rows are sent to. */
export interface MalformedShape {
  url: string;
  /** Set for an edge, which refuses some requests itself in words of its own. */
  edge?: true;
  /** The Host that requests send. If it is absent, they send a name that no server knows. */
  host?: string;
}

const TARGETS = [
  '//',
  '///v1/reviews',
  '//evil.example/v1/reviews',
  '/\\evil.example',
  'http://[',
  'http://[::1',
  'http://',
  'http://user:word@host:99999/',
  'https://plat.example/v1/whoami',
  '*',
  '?',
  '#',
  'v1/reviews',
  '/%',
  '/%zz',
  '/%00',
  '/v1/%ff',
  '/v1/reviews/%zz',
  '/v1/reviews/%00',
  '/v1/reviews/%',
  '/v1/reviews/\xff',
  '/v1/reviews?%zz',
  '/v1/reviews?a[__proto__]=1&a=1&a=2',
  '/v1/reviews/../reviews',
  '/../../etc/passwd',
  '/..%2f..%2fetc%2fpasswd',
  `/v1/reviews/${'x'.repeat(8_000)}`,
  `/v1/reviews?${'x'.repeat(8_000)}`,
  `/${'x'.repeat(100_000)}`,
  '/metrics',
  '/metrics?x',
  '/metrics#/v1/whoami',
  '/%6detrics',
  '//metrics',
  '/./metrics',
  '/v1/../metrics',
  'http://plat.example/metrics',
  'https://plat.example/readyz?x',
  '/docs/..',
  '/docs//',
  '/docs/%zz',
  '/issuers/shared//',
  '/issuers/shared/%zz',
  '/issuers/shared/interaction/%zz',
  '/issuers/shared/.well-known/openid-configuration?%zz',
  '/issuers/shared/device?user_code=%zz',
  '/issuers/shared/auth?client_id[]=1&client_id=2',
];

const METHODS = ['OPTIONS', 'TRACE', 'PUT', 'DELETE', 'PROPFIND', 'CONNECT', 'get', 'FROB', 'PRI', 'GE T'];

const HEADERS = [
  'Authorization: Bearer a\r\nAuthorization: Bearer b',
  'Authorization: Bearer a b',
  'Authorization: Basic YTpi',
  `Authorization: Bearer ${'x'.repeat(12_000)}`,
  'X-Plat-Mcp-Tool: a\r\nX-Plat-Mcp-Tool: b',
  'X-Request-Id: <script>',
  'Content-Length: -1',
  'Content-Length: 1\r\nContent-Length: 2',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked\r\nContent-Length: 3',
  'Transfer-Encoding: gzip',
  'Content-Type: ;;;',
  'Expect: 200-ok',
  'Upgrade: websocket\r\nConnection: Upgrade',
  `X-Long: ${'x'.repeat(70_000)}`,
  'X-Null: a\0b',
  'no colon',
  ' folded',
  ': no name',
  'Host: other.example',
];

const HOST = 'plat.example';

/**
 * Requests that no well-behaved client sends: each gets an answer other than 500, in the contract's shape if a service
 * answers, and the server goes on serving.
 */
export function describeMalformed(name: string, shape: () => MalformedShape): void {
  describe(`malformed requests to ${name}`, () => {
    const row = async (request: string) => {
      const { host = HOST } = shape();
      const answer = await sendRaw(shape().url, request.replace(`Host: ${HOST}`, `Host: ${host}`));
      expectAnswered(answer, shape());
      const { url, edge } = shape();
      expect((await fetch(url + (edge ? '/v1/platform' : '/healthz'))).status).toBe(200);
    };

    it.each(TARGETS.map(named))('target %s', (_, target) =>
      row(`GET ${target} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`),
    );

    it.each(METHODS)('method %s', (method) =>
      row(`${method} /v1/reviews/merge-queue HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`),
    );

    it.each(HEADERS.map(named))('header %s', (_, header) =>
      row(`POST /v1/reviews HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n${header}\r\n\r\n`),
    );

    it.each([
      ['no Host', 'GET /v1/whoami HTTP/1.1\r\nConnection: close\r\n\r\n'],
      ['no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
      ['no version', 'GET /v1/whoami\r\n\r\n'],
      ['an unknown version', 'GET /v1/whoami HTTP/9.9\r\nHost: a\r\n\r\n'],
    ])('%s', (_, request) => row(request));
  });
}

/** The statuses of an edge for an unknown encoding or version; no service answers them. */
const EDGE_STATUSES = [501, 505];

/** A row with a printable name. */
const named = (text: string): [string, string] => [JSON.stringify(text).slice(0, 60), text];

function expectAnswered({ status, headers, body }: RawAnswer, { edge }: MalformedShape): void {
  const ofEdge = edge && (EDGE_STATUSES.includes(status) || (status === 0 && body !== ''));
  const answered = (status >= 200 && status < 500) || ofEdge === true;
  expect({ status, answered }).toEqual({ status, answered: true });
  expect(body).not.toMatch(/\n\s+at |node_modules/);
  if (edge || !headers['content-type']?.startsWith('application/json')) return;
  expect(headers['x-content-type-options']).toBe('nosniff');
  if (status >= 400 && !('error' in (JSON.parse(body) as object))) {
    expect(JSON.parse(body)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  }
}
