import { randomUUID } from 'node:crypto';
import { defined, type RouteEntry, ROUTES } from '@plat/contracts/core';
import {
  ReviewScene,
  SOME_COMMIT,
  startTestService,
  TEST_USERS,
  type TestService,
  type TestUser,
} from '@plat/testing';
import { ALL_SERVICES } from './all-services';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(...ALL_SERVICES);
});
afterAll(() => service.stop());

interface Sent {
  key?: string;
  by?: TestUser;
  body: object;
  signal?: AbortSignal;
}

async function post(path: string, { key, by = 'alice', body, signal }: Sent) {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: defined({
      authorization: await service.bearer(by),
      'content-type': 'application/json',
      'idempotency-key': key,
    }),
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    code: (JSON.parse(text) as { code?: string }).code,
    replayed: response.headers.get('idempotency-replayed'),
    retryAfter: response.headers.get('retry-after'),
    requestId: response.headers.get('x-request-id'),
  };
}

/** A request of each route that takes a key, as ROUTES names it. */
const REQUESTS: Record<string, (scene: ReviewScene) => Promise<{ path: string; body: object }>> = {
  createReview: (scene) => Promise.resolve({ path: '/v1/reviews', body: proposal(scene) }),
  createComment: async (scene) => ({
    path: `/v1/reviews/${await scene.open()}/comments`,
    body: { commitId: SOME_COMMIT, filePath: 'a.ts', line: 1, body: 'why?' },
  }),
  createGateRun: async (scene) => ({
    path: '/v1/gate-runs',
    body: {
      sourceBranch: 'topic',
      targetBranch: scene.targetBranch,
      sourceCommit: SOME_COMMIT,
      mergeCommit: SOME_COMMIT,
      reviewId: await scene.open(),
      holder: 'a drive',
    },
  }),
  createReviewBuild: async (scene) => ({
    path: `/v1/reviews/${await scene.open()}/builds`,
    body: { commitId: SOME_COMMIT, successful: true, kind: 'RECORDED', version: '1.0.0' },
  }),
  createBuild: async () => ({
    path: '/v1/builds',
    body: {
      kind: 'RECORDED',
      environmentId: await environment(),
      successful: true,
      commitId: SOME_COMMIT,
      version: '1.0.0',
    },
  }),
  createRelease: () => Promise.resolve({ path: '/v1/releases', body: release() }),
  createEnvironment: () => Promise.resolve({ path: '/v1/environments', body: namedEnvironment() }),
};

const proposal = ({ targetBranch, repository }: ReviewScene) => ({
  name: randomUUID(),
  sourceBranch: randomUUID(),
  targetBranch,
  repository,
});
const release = () => ({ targetBranch: 'main', commitId: randomUUID().replaceAll('-', '').padEnd(40, '0') });
const namedEnvironment = () => ({ name: `e${randomUUID().slice(0, 8)}`, type: 'runtime' });

async function environment(): Promise<string> {
  const { text } = await post('/v1/environments', { body: namedEnvironment() });
  return (JSON.parse(text) as { environmentId: string }).environmentId;
}

const KEYED = Object.entries(ROUTES as Record<string, RouteEntry>).filter(([, { keyed }]) => keyed);

/** Rows of all tables that a creating request could write, without the trail and the keys. */
async function rows(): Promise<Record<string, number>> {
  const [row] = await service.database.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM reviews.reviews) AS reviews, (SELECT count(*)::int FROM reviews.comments) AS comments,
            (SELECT count(*)::int FROM reviews.gate_runs) AS gate_runs, (SELECT count(*)::int FROM builds.builds) AS builds,
            (SELECT count(*)::int FROM releases.releases) AS releases,
            (SELECT count(*)::int FROM reviews.queue_moves) AS moves,
            (SELECT count(*)::int FROM environments.environments) AS environments`,
  );
  return row!;
}

describe('Idempotency-Key', () => {
  it.each(KEYED)('%s: a repeat is answered as the first request was, and creates nothing', async (name) => {
    const { path, body } = await REQUESTS[name]!(new ReviewScene(service));
    const key = randomUUID();
    const first = await post(path, { key, body });
    expect(first).toMatchObject({ status: 201, replayed: null });
    const before = await rows();
    const second = await post(path, { key, body });
    expect(second).toMatchObject({ status: 201, text: first.text, replayed: 'true' });
    expect(await rows()).toEqual(before);
    // Each request has its row of the trail.
    const [trail] = await service.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM audit.audit_events WHERE request_id IN ($1, $2)',
      [first.requestId, second.requestId],
    );
    expect(trail!.n).toBe(2);
  });

  it.each(KEYED)('%s: with another body its key is refused', async (name) => {
    const { path, body } = await REQUESTS[name]!(new ReviewScene(service));
    const key = randomUUID();
    await post(path, { key, body });
    const before = await rows();
    const other = await post(path, { key, body: { ...body, more: 1 } });
    expect(other).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_REUSED', replayed: null });
    expect(await rows()).toEqual(before);
  });

  it('on another path its key is refused', async () => {
    const scene = new ReviewScene(service);
    const [one, other] = [await scene.open(), await scene.open()];
    const [key, body] = [randomUUID(), { commitId: SOME_COMMIT, filePath: 'a', line: 1, body: 'b' }];
    await post(`/v1/reviews/${one}/comments`, { key, body });
    const { code } = await post(`/v1/reviews/${other}/comments`, { key, body });
    expect(code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('the order of the fields of a body means nothing', async () => {
    const [key, body] = [randomUUID(), release()];
    const first = await post('/v1/releases', { key, body });
    const turned = Object.fromEntries(Object.entries(body).reverse());
    expect(await post('/v1/releases', { key, body: turned })).toMatchObject({
      text: first.text,
      replayed: 'true',
    });
  });

  it('the repeat of a release that was there already has the status of its answer', async () => {
    const [key, body] = [randomUUID(), release()];
    await post('/v1/releases', { body });
    expect(await post('/v1/releases', { key, body })).toMatchObject({ status: 200, replayed: null });
    expect(await post('/v1/releases', { key, body })).toMatchObject({ status: 200, replayed: 'true' });
  });

  it.each(['', ' ', 'a b', 'é', 'x'.repeat(256)])('"%s" is no key, and nothing is created', async (key) => {
    const before = await rows();
    const answer = await post('/v1/releases', { key: Buffer.from(key).toString('latin1'), body: release() });
    expect(answer).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    expect(await rows()).toEqual(before);
  });

  it('a refused request does not use its key up', async () => {
    const key = randomUUID();
    const body = { ...release(), reviewId: randomUUID() };
    expect(await post('/v1/releases', { key, body })).toMatchObject({ status: 404 });
    expect(await post('/v1/releases', { key, body: release() })).toMatchObject({ status: 201 });
    const build = { commitId: SOME_COMMIT, successful: true, kind: 'RECORDED', version: '1.0.0' };
    const path = `/v1/reviews/${randomUUID()}/builds`;
    const refused = { status: 404, code: 'NOT_FOUND', replayed: null };
    for (const successful of [true, false]) {
      expect(
        await post(path, { key: 'refused', body: { ...build, successful, failureDetail: 'red' } }),
      ).toMatchObject(refused);
    }
  });

  it('a refused key leaves as many rows of the trail as requests that acted', async () => {
    await post('/v1/releases', { key: 'a b', body: release() });
    const figures = await (await fetch(`${service.url}/metrics`)).text();
    const of = (name: string) =>
      new RegExp(`^${name}\\{service="releases"\\} (\\d+)$`, 'm').exec(figures)?.[1];
    expect(of('plat_audit_rows_total')).toBeDefined();
    expect(of('plat_audit_rows_total')).toBe(of('plat_requests_authorized_total'));
  });

  it('30 at once create one review; who comes too early is asked to come back', async () => {
    const [key, body] = [randomUUID(), proposal(new ReviewScene(service))];
    const answers = await Promise.all(Array.from({ length: 30 }, () => post('/v1/reviews', { key, body })));
    const texts = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
    expect(texts.size).toBe(1);
    for (const { status, code, retryAfter } of answers.filter((answer) => answer.status !== 201)) {
      expect({ status, code, retryAfter }).toEqual({
        status: 409,
        code: 'IDEMPOTENCY_KEY_IN_USE',
        retryAfter: '1',
      });
    }
    const found = await service.database.query('SELECT 1 FROM reviews.reviews WHERE name = $1', [body.name]);
    expect(found).toHaveLength(1);
  });

  it('a caller who goes away before the answer finds what was created', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [key, body] = [randomUUID(), proposal(new ReviewScene(service))];
      const gone = new AbortController();
      const lost = post('/v1/reviews', { key, body, signal: gone.signal }).catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      gone.abort();
      await lost;
      let answer = await post('/v1/reviews', { key, body });
      while (answer.code === 'IDEMPOTENCY_KEY_IN_USE') answer = await post('/v1/reviews', { key, body });
      expect(answer.status).toBe(201);
      const found = await service.database.query<{ id: string }>(
        'SELECT review_id AS id FROM reviews.reviews WHERE name = $1',
        [body.name],
      );
      expect(found).toEqual([{ id: (JSON.parse(answer.text) as { reviewId: string }).reviewId }]);
    }
  });

  it('is another one for each caller', async () => {
    const key = randomUUID();
    await post('/v1/releases', { key, body: release() });
    expect(await post('/v1/releases', { key, by: 'bob', body: release() })).toMatchObject({ status: 201 });
  });

  it('means nothing to a route that creates nothing', async () => {
    const scene = new ReviewScene(service);
    const path = `/v1/reviews/${await scene.open()}/reviewers`;
    const body = { userId: TEST_USERS.bob.userId };
    expect(await post(path, { key: 'a', body })).toMatchObject({ status: 201 });
    expect(await post(path, { key: 'a', body })).toMatchObject({ status: 409, code: 'CONFLICT' });
  });
});
