import fc from 'fast-check';
import { defined, ERRORS, type RouteEntry, ROUTES } from '@plat/contracts/core';
import { startTestService, type TestService } from '@plat/testing';
import { ALL_SERVICES } from '../all-services';
import { BODIES } from './bodies';
import { unlikeTheContract } from './contract-shape';
import { makeScene, type PathIds } from './scene';

/** `npm run nightly -- requests` sends more, with a time limit to match. */
const { GENERATED_REQUESTS, GENERATED_SEED } = process.env;
const REQUESTS = Number(GENERATED_REQUESTS ?? 5_000);
const SECONDS_MAX = GENERATED_REQUESTS === undefined ? 12 : 3_600;
const routes = Object.values(ROUTES) as RouteEntry[];

/** Fields of the contract's bodies and queries, and some unknown ones. */
const FIELDS = [
  ...new Set(Object.values(BODIES).flatMap((body) => (body ? Object.keys(body({})) : []))),
  ...[
    'repository',
    'buildId',
    'remoteUrl',
    'failureDetail',
    'kind',
    'failingStep',
    'logRef',
    'parentCommentId',
  ],
  ...[
    'cursor',
    'limit',
    'since',
    'until',
    'erunUserId',
    'authorUserId',
    'reviewerUserId',
    'apiPath',
    'apiMethod',
  ],
  ...['__proto__', 'constructor', 'tenantId', 'toString'],
];

const NASTY = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '2026-02-30T00:00:00Z',
  '294277-01-01T00:00:00Z',
  '2026-01-01T00:00:00+23:59',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59Z,00000000-0000-0000-0000-000000000000',
  '00000000-0000-0000-0000-000000000000',
  '-1',
  '99999999999999999999',
  '2147483648',
  'OPEN',
  'READY',
  'MERGE',
  'MERGED',
  'CLOSED',
  'GATE',
  'RECORDED',
  'FAILED',
  'queued',
  'main',
  '-main',
  'a'.repeat(40),
  '1.2.3',
  'x'.repeat(20_000),
  '../../etc/passwd',
  '%s%n${x}{{y}}',
  "' OR 1=1 --",
  'https://user:secret@git.example/a/b.git',
  'file:///nowhere/at/all',
];

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, true, false, null) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const fields = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 6 });
const header = fc.constantFrom('review_show', 'X', 'x'.repeat(300), '"', '{}');

/** A request to one of the routes, which starts from what the route accepts and goes wrong in some places. */
const requests = fc.record({
  route: fc.constantFrom(...Object.keys(BODIES).filter((name) => name in ROUTES)) as fc.Arbitrary<
    keyof typeof ROUTES
  >,
  acceptable: fc.boolean(),
  changed: fields,
  rawBody: fc.option(fc.oneof(fc.string(), fc.constantFrom('{', '[]', 'null', '"x"', '{"a":1}{')), {
    freq: 6,
  }),
  query: fields,
  id: fc.option(fc.oneof(fc.constantFrom(...NASTY.slice(0, 12)), fc.string()), { freq: 5 }),
  tool: fc.option(header),
  contentType: fc.option(fc.constantFrom('text/plain', ';;', 'application/json; charset=utf-16')),
});
type Generated = typeof requests extends fc.Arbitrary<infer Value> ? Value : never;

describe('generated requests to every route', () => {
  let service: TestService;
  let ids: PathIds;
  beforeAll(async () => {
    service = await startTestService(...ALL_SERVICES);
    ids = await makeScene(service, 'acme');
  }, 30_000);
  afterAll(() => service.stop());

  async function send({
    route: name,
    acceptable,
    changed,
    rawBody,
    query,
    id,
    tool,
    contentType,
  }: Generated) {
    const route: RouteEntry = ROUTES[name];
    const path = route.template.replace(/\{([a-z_]+)\}/g, (_, parameter: string) =>
      encodeURIComponent((id ?? ids[parameter]!).toWellFormed()),
    );
    // Node itself refuses a request line over 16 KiB.
    const search = new URLSearchParams(
      Object.entries(query).map(([key, given]): [string, string] => [
        key,
        (typeof given === 'string' ? given : JSON.stringify(given)).toWellFormed().slice(0, 500),
      ]),
    );
    const accepted = acceptable ? BODIES[name]?.(ids) : undefined;
    const body = rawBody ?? JSON.stringify({ ...accepted, ...changed });
    return fetch(`${service.url}${path}?${search}`, {
      method: route.method,
      headers: defined({
        authorization: await service.bearer('alice'),
        'x-plat-mcp-tool': tool ?? undefined,
        'content-type': contentType ?? undefined,
      }),
      body: route.method === 'GET' ? undefined : body,
    });
  }

  it(
    'never end in a 500, and always in the shape of the contract',
    async () => {
      const reached = new Set<string>();
      const property = fc.asyncProperty(requests, async (request) => {
        const response = await send(request);
        const text = await response.text();
        // 501 is an answer of the contract: this deployment writes no DNS.
        if (response.status !== 501) expect(response.status).toBeLessThan(500);
        expect(response.headers.get('x-request-id')).toBeTruthy();
        const body: unknown = text === '' ? undefined : JSON.parse(text);
        const route: RouteEntry = ROUTES[request.route];
        // A generated id may turn the path into another route, or none.
        if (request.id === null) expect(unlikeTheContract(route, response.status, body)).toEqual([]);
        if (response.status < 400) reached.add(request.route);
        else expectError(response.status, body as Record<string, unknown>);
      });
      await fc.assert(property, {
        numRuns: REQUESTS,
        seed: GENERATED_SEED === undefined ? undefined : Number(GENERATED_SEED),
        interruptAfterTimeLimit: SECONDS_MAX * 1000,
        markInterruptAsFailure: false,
      });
      // If nothing were accepted, the requests would prove little.
      expect(reached.size).toBeGreaterThan(routes.length / 3);
    },
    (SECONDS_MAX + 20) * 1000,
  );
});

/** `{code, message, details?}` of the registry, or the one body that has its own shape. */
function expectError(status: number, body: Record<string, unknown>): void {
  if (body.error === 'unresolved_threads') {
    expect(Object.keys(body)).toEqual(['error', 'message', 'reviewId', 'unresolvedThreads']);
    return;
  }
  const { code, message, details, ...others } = body;
  expect(others).toEqual({});
  expect(ERRORS[code as keyof typeof ERRORS]?.status).toBe(status);
  expect(typeof message).toBe('string');
  if (details !== undefined) expect(typeof details).toBe('object');
}
