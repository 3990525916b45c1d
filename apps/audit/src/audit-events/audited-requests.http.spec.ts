import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { releasesService } from '@plat/releases';
import { reviewsService } from '@plat/reviews';
import { SOME_COMMIT, startTestService, TEST_USERS, type TestService, type TestUser } from '@plat/testing';
import { auditService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService, releasesService, auditService);
});
afterAll(() => service.stop());

interface Sent {
  requestId: string;
  status: number;
  body: Record<string, unknown>;
}

/** Sends a request. Its id is the one that the answer's header names. */
async function send(user: TestUser | undefined, line: string, body?: unknown): Promise<Sent> {
  const [method, path] = line.split(' ') as [string, string];
  const response = await fetch(service.url + path, {
    method,
    headers: user ? { authorization: await service.bearer(user) } : {},
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const requestId = response.headers.get('x-request-id')!;
  return { requestId, status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const rowsOf = (requestId: string): Promise<Record<string, unknown>[]> =>
  service.database.query(
    `SELECT e.erun_user_id, e.type, concat_ws(' ', e.api_method, e.api_path) AS route, e.api_parameters
       FROM audit.audit_events e WHERE e.request_id = $1`,
    [requestId],
  );

const proposal = (): Record<string, unknown> => ({
  name: randomUUID(),
  sourceBranch: randomUUID(),
  targetBranch: 'main',
});

describe('every authorized request has exactly one audit row', () => {
  const unknown = randomUUID();
  const requests: [number, TestUser, string, string, unknown?][] = [
    [200, 'alice', 'GET /v1/reviews', 'GET /v1/reviews'],
    [200, 'olga', 'GET /v1/reviews?status=OPEN', 'GET /v1/reviews'],
    [201, 'bob', 'POST /v1/reviews', 'POST /v1/reviews', proposal()],
    [400, 'alice', 'POST /v1/reviews', 'POST /v1/reviews', '{'],
    [400, 'alice', 'POST /v1/reviews', 'POST /v1/reviews', {}],
    [400, 'alice', 'GET /v1/reviews?status=x', 'GET /v1/reviews'],
    [400, 'alice', 'GET /v1/reviews/x', 'GET /v1/reviews/{review_id}'],
    [404, 'alice', `GET /v1/reviews/${unknown}`, 'GET /v1/reviews/{review_id}'],
    [
      400,
      'ci',
      `PATCH /v1/reviews/${unknown}/status`,
      'PATCH /v1/reviews/{review_id}/status',
      { status: 'x' },
    ],
    [
      404,
      'ci',
      `PATCH /v1/reviews/${unknown}/status`,
      'PATCH /v1/reviews/{review_id}/status',
      { status: 'CLOSED' },
    ],
    [
      404,
      'carol',
      'POST /v1/reviews/merge-queue/advance',
      'POST /v1/reviews/merge-queue/advance',
      { targetBranch: unknown },
    ],
    [200, 'carol', 'GET /v1/reviews/merge-queue', 'GET /v1/reviews/merge-queue'],
    [
      404,
      'ci',
      `POST /v1/reviews/${unknown}/builds`,
      'POST /v1/reviews/{review_id}/builds',
      { commitId: SOME_COMMIT, successful: true, version: '1.0.0' },
    ],
    [
      404,
      'bob',
      `GET /v1/reviews/${unknown}/builds/${unknown}`,
      'GET /v1/reviews/{review_id}/builds/{build_id}',
    ],
    [404, 'bob', `GET /v1/reviews/${unknown}/releases`, 'GET /v1/reviews/{review_id}/releases'],
    [201, 'bob', 'POST /v1/releases', 'POST /v1/releases', { targetBranch: 'main', commitId: SOME_COMMIT }],
    [404, 'bob', `GET /v1/releases/${unknown}`, 'GET /v1/releases/{release_id}'],
    [200, 'mallory', 'GET /v1/audit-events?limit=1', 'GET /v1/audit-events'],
    [400, 'mallory', 'GET /v1/audit-events?limit=x', 'GET /v1/audit-events'],
  ];

  const cases = requests.map(([status, user, line, route, body]) => ({ status, user, line, route, body }));
  it.each(cases)(
    '$status for $user: $line is recorded as $route',
    async ({ status, user, line, route, body }) => {
      const sent = await send(user, line, body);
      expect(sent.status).toBe(status);
      expect(await rowsOf(sent.requestId)).toEqual([
        { erun_user_id: TEST_USERS[user].userId, type: 'API', route, api_parameters: null },
      ]);
    },
  );

  it('a request that is answered 409 has one as well', async () => {
    const body = proposal();
    await send('alice', 'POST /v1/reviews', body);
    const sent = await send('alice', 'POST /v1/reviews', body);
    expect(sent.status).toBe(409);
    expect(await rowsOf(sent.requestId)).toHaveLength(1);
  });

  it('each of many simultaneous requests has its own row, although they share batches', async () => {
    const sent = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        send(index % 2 === 0 ? 'alice' : 'mallory', 'GET /v1/reviews'),
      ),
    );
    const rows = await service.database.query<{ request_id: string; own: boolean }>(
      `SELECT e.request_id, bool_and(e.tenant_id = u.tenant_id) AS own FROM audit.audit_events e
         JOIN identity.users u ON u.user_id = e.erun_user_id
        WHERE e.request_id = ANY ($1) GROUP BY e.request_id HAVING count(*) = 1`,
      [sent.map(({ requestId }) => requestId)],
    );
    expect(rows).toHaveLength(40);
    expect(rows.every(({ own }) => own)).toBe(true);
  });
});

describe('a request that is rejected earlier writes no row', () => {
  it.each([
    [401, undefined, 'GET /v1/reviews'],
    [401, undefined, 'POST /v1/reviews'],
    [403, 'dave', 'GET /v1/reviews'],
    [403, 'carol', 'POST /v1/reviews/merge-queue/override-advance'],
    [403, 'ci', 'POST /v1/releases'],
  ] as const)('%i for %s: %s', async (status, user, line) => {
    const sent = await send(user, line, line.startsWith('POST') ? {} : undefined);
    expect(sent.status).toBe(status);
    expect(await rowsOf(sent.requestId)).toEqual([]);
  });

  it('a request for a route that does not exist writes no row either', async () => {
    const sent = await send('alice', 'GET /v1/nothing');
    expect(sent.status).toBe(404);
    expect(await rowsOf(sent.requestId)).toEqual([]);
  });
});

describe('callers of two tenants who give their requests one id', () => {
  it('keep their rows apart: each row has a different request id, and the given id next to it', async () => {
    const given = randomUUID();
    for (const user of ['alice', 'mallory'] as const) {
      const headers = { authorization: await service.bearer(user), 'x-request-id': given };
      await fetch(`${service.url}/v1/reviews`, { headers });
    }
    const rows = await service.database.query<{ tenants: number; ids: number }>(
      `SELECT count(DISTINCT tenant_id)::int AS tenants, count(DISTINCT request_id)::int AS ids
         FROM audit.audit_events WHERE caller_request_id = $1`,
      [given],
    );
    expect(rows).toEqual([{ tenants: 2, ids: 2 }]);
    expect(await rowsOf(given)).toEqual([]);
  });
});

describe('override-advance', () => {
  it.each([
    ['of a request that promotes no review', 404, 'hotfix'],
    ['blank, which is refused', 400, '  '],
  ])('stores its reason in apiParameters: %s', async (_, status, reason) => {
    const line = 'POST /v1/reviews/merge-queue/override-advance';
    const sent = await send('alice', line, { targetBranch: randomUUID(), reason });
    expect(sent.status).toBe(status);
    expect(await rowsOf(sent.requestId)).toEqual([
      { erun_user_id: TEST_USERS.alice.userId, type: 'API', route: line, api_parameters: { reason } },
    ]);
  });

  it('no response of GET /v1/audit-events contains the reason', async () => {
    const reason = randomUUID();
    await send('alice', 'POST /v1/reviews/merge-queue/override-advance', { targetBranch: 'none', reason });
    const { body } = await send('alice', 'GET /v1/audit-events?limit=200');
    expect(JSON.stringify(body)).not.toContain(reason);
    expect(JSON.stringify(body)).not.toContain('Parameters');
  });
});

it('a request that cannot be audited is answered 503 and does nothing', async () => {
  await service.database.query('ALTER FUNCTION audit.record_requests(jsonb) RENAME TO record_gone');
  const body = proposal();
  const sent = await send('alice', 'POST /v1/reviews', body);
  await service.database.query('ALTER FUNCTION audit.record_gone(jsonb) RENAME TO record_requests');
  expect(sent).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  expect(await service.database.query('SELECT FROM reviews.reviews WHERE name = $1', [body.name])).toEqual(
    [],
  );
});
